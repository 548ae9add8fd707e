import { expect, test } from 'vitest';
import { callOf, originalOf, typed, written } from './call';

const asked = { tool: 'shop', action: 'roll_out', resource: 'shop@1', mutates_state: true, parameters: { region: 'eu' } };

test('what would run is the edited call', () => {
  const approval = { tool_call: asked, edited_tool_call: { ...asked, parameters: { region: 'test' } } };
  expect(callOf(approval).parameters).toEqual({ region: 'test' });
  expect(originalOf(approval).parameters).toEqual({ region: 'eu' });
});
test('what is written can be typed again', () => expect(typed(written(callOf({ tool_call: asked })))).toEqual({ call: asked }));
test.each(['', '[]', '{"tool":1}', '{"tool":"a","action":"b"}', '{"tool":"a","action":"b","mutates_state":true,"resource":5}'])('%s is no call', (text) =>
  expect(typed(text)).toHaveProperty('wrong'),
);
test('a call that is not even an object is shown as empty', () => expect(callOf({ tool_call: null }).name).toBe('.'));
