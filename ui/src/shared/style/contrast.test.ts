import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function tokens(selector: string): Map<string, string> {
  const block = css.slice(css.indexOf(selector)).split('}')[0] ?? '';
  return new Map([...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const TONES = ['critical', 'high', 'medium', 'low', 'info', 'good'];
const GROUNDS = ['--ground', '--surface', '--raised', '--sunken', '--hover', '--selected'];

for (const [theme, selector] of [['light', ':root {'], ['dark', ":root[data-theme='dark']"]] as const) {
  const all = tokens(selector);
  const of = (name: string) => all.get(name) ?? '';
  const pairs = [
    ...GROUNDS.flatMap((ground) => ['--text', '--muted', '--accent'].map((text) => [text, ground])),
    ...TONES.flatMap((tone) => [[`--${tone}`, `--${tone}-soft`], [`--${tone}`, '--surface'], ['--surface', `--${tone}`]]),
    ['--text', '--critical-soft'],
    ['--accent-text', '--accent'],
    ['--graph-label', '--graph-ground'],
  ];
  test.each(pairs)(`${theme}: %s on %s can be read`, (text, ground) => {
    expect(contrast(of(text ?? ''), of(ground ?? ''))).toBeGreaterThanOrEqual(4.5);
  });
  test(`${theme}: borders of fields can be seen`, () => expect(contrast(of('--line-strong'), of('--surface'))).toBeGreaterThanOrEqual(3));
}

test('the system’s dark theme and the chosen one are the same', () => {
  expect(tokens(":root:not([data-theme='light'])")).toEqual(tokens(":root[data-theme='dark']"));
});
