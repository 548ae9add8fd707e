import { expect, test } from 'vitest';
import { effects, lineOf, parts } from './cedar';

const check = (text: string, wanted: string[]) => expect(parts(text).map((part) => `${part.line} ${part.id ?? '-'} ${part.effect}`)).toEqual(wanted);

test('a forbid denies', () => check('forbid (principal, action, resource);', ['1 - deny']));
test('a permit with a decision asks for more than a plain yes', () =>
  check('@id("a")\n@decision("require_approval")\npermit(principal, action, resource);\n\npermit (principal, action, resource);', ['1 a require_approval', '5 - allow']));
test('words in comments and strings are no policies', () =>
  check('// permit (all)\n@reason("never forbid (this)")\nforbid (principal, action, resource) when { context.x == "permit (y)" };', ['2 - deny']));
test('a quote within an annotation does not end it', () => check('@reason("say \\"no\\"")\nforbid (principal, action, resource);', ['1 - deny']));
test('annotations belong to the part that follows', () =>
  check('@id("one")\nforbid (principal, action, resource);\n@id("two")\npermit (principal, action, resource);', ['1 one deny', '3 two allow']));
test('effects are counted, the strictest first', () => {
  const text = 'permit (principal, action, resource);\nforbid (principal, action, resource);\npermit (principal, action, resource);';
  expect(effects(text)).toEqual([
    { effect: 'deny', many: 1 },
    { effect: 'allow', many: 2 },
  ]);
});
test('a name leads to its line', () => expect(lineOf('\n@id("x")\nforbid (principal, action, resource);', 'x')).toBe(2));
