import { expect, test } from 'vitest';
import { ApiProblem } from '$shared/api/problem';
import { marks, refusals } from './marks';

const wrong = (line: number, column: number) => ({ policy: 'p', message: 'no', line, column });
function check(text: string, line: number, column: number, wanted: string) {
  const found = [...marks(text, [wrong(line, column)], [])].flatMap(([at, on]) => on.map((mark) => text.split('\n')[at - 1]?.slice(mark.start, mark.end)));
  expect(found).toEqual([wanted]);
}

test('the word at the place is marked', () => check('permit (a)\nwhen { contxt.x };', 2, 8, 'contxt'));
test('a string is marked whole', () => check('action == Action::"git hub"', 1, 19, '"git hub"'));
test('a sign is marked alone', () => check('permit (a', 1, 8, '('));
test('columns count characters, not halves of them', () => check('"🐕🐕" bad', 1, 6, 'bad'));
test('a place behind the end of its line marks the last character', () => check('permit (a)  \n', 1, 40, ')  '));
test('a place behind the last line is on the last line', () => check('permit', 9, 1, 'permit'));
test('what is doubtful is told apart from what is wrong', () => {
  expect([...marks('x', [wrong(1, 1)], [wrong(1, 1)]).values()].flat().map((mark) => mark.sort)).toEqual(['wrong', 'doubtful']);
});
test('a refusal has places, any other problem does not', () => {
  expect(refusals(new ApiProblem(422, 'policy_refused', 'x', [wrong(1, 2)]))).toEqual([wrong(1, 2)]);
  expect(refusals(new ApiProblem(422, 'reserved_key', 'x'))).toBeUndefined();
  expect(refusals(new ApiProblem(500, 'broken', 'x', [wrong(1, 2)]))).toBeUndefined();
});
