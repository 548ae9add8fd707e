import { expect, test } from 'vitest';
import { placed, type Spot } from './labels';

const spot = (x: number, y: number, label: string, rank = 0): Spot => ({ x, y, radius: 10, label, rank });
const width = (label: string) => label.length * 7;
const labels = (...spots: Spot[]) => placed(spots, width).map((one) => one.label);

test('a label stands below its node, in the middle', () =>
  expect(placed([spot(100, 100, 'name')], width)).toEqual([{ label: 'name', x: 86, y: 121.5, width: 28 }]));
test('it goes elsewhere when something is there', () => {
  const [first] = placed([spot(100, 100, 'name', 1), spot(100, 122, '')], width);
  expect(first?.y).toBeLessThan(100);
});
test('it does not reach over the edge of the picture', () => {
  const [first] = placed([spot(12, 100, 'a long name')], width, 200);
  expect([first?.x, first?.y]).toEqual([26, 100]);
  expect(placed([spot(12, 100, 'a long name')], width, 60)).toEqual([]);
});
test('no label covers another or a node', () => {
  const spots = Array.from({ length: 60 }, (_, at) => spot((at % 8) * 40, Math.floor(at / 8) * 30, `label ${at}`));
  const boxes = placed(spots, width);
  for (const [at, one] of boxes.entries()) {
    for (const other of boxes.slice(at + 1)) {
      const isApart = one.x + one.width <= other.x || other.x + other.width <= one.x || Math.abs(one.y - other.y) >= 15;
      expect(isApart).toBe(true);
    }
  }
  expect(boxes.length).toBeGreaterThan(5);
});
test('the important one gets the room', () => {
  const [first] = placed([spot(0, 0, 'one of them'), spot(24, 0, 'the one that matters', 9), spot(48, 0, 'another one')], width);
  expect([first?.label, first && first.y > 0]).toEqual(['the one that matters', true]);
});
test('the same nodes get the same labels', () => {
  const crowd = Array.from({ length: 30 }, (_, at) => spot(at * 13, (at * 7) % 60, `thing ${at}`));
  expect(labels(...crowd)).toEqual(labels(...crowd));
});
