// Two texts side by side, line by line, with the words that differ.

export interface Part {
  text: string;
  changed: boolean;
}

export interface Row {
  left?: Part[];
  right?: Part[];
}

/** The most lines or words that are compared exactly; beyond it all of it counts as changed. */
const MOST = 2000;

/** Lines beside lines. Time is that of the longest common sequence: lines × lines within the limit. */
export function diff(before: string, after: string): Row[] {
  const rows: Row[] = [];
  let gone: string[] = [];
  let come: string[] = [];
  const settle = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) rows.push(changed(gone[at], come[at]));
    gone = [];
    come = [];
  };
  for (const step of steps(before.split('\n'), after.split('\n'))) {
    if (step.side === 'left') gone.push(step.text);
    else if (step.side === 'right') come.push(step.text);
    else {
      settle();
      const same = [{ text: step.text, changed: false }];
      rows.push({ left: same, right: same });
    }
  }
  settle();
  return rows;
}

function changed(left: string | undefined, right: string | undefined): Row {
  if (left === undefined || right === undefined) {
    return { ...(left === undefined ? {} : { left: whole(left) }), ...(right === undefined ? {} : { right: whole(right) }) };
  }
  const row = { left: [] as Part[], right: [] as Part[] };
  for (const step of steps(words(left), words(right))) {
    if (step.side !== 'right') add(row.left, step.text, step.side === 'left');
    if (step.side !== 'left') add(row.right, step.text, step.side === 'right');
  }
  return row;
}

const whole = (text: string): Part[] => [{ text, changed: true }];
const words = (line: string) => line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

function add(parts: Part[], text: string, isChanged: boolean) {
  const last = parts.at(-1);
  if (last && last.changed === isChanged) last.text += text;
  else parts.push({ text, changed: isChanged });
}

interface Step {
  side: 'left' | 'right' | 'both';
  text: string;
}

function steps(left: readonly string[], right: readonly string[]): Step[] {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  const least = Math.min(left.length, right.length) - head;
  while (tail < least && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const both = (text: string): Step => ({ side: 'both', text });
  return [
    ...left.slice(0, head).map(both),
    ...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...left.slice(left.length - tail).map(both),
  ];
}

function middle(left: readonly string[], right: readonly string[]): Step[] {
  const all: Step[] = [];
  if (left.length > MOST || right.length > MOST) {
    return [...left.map((text): Step => ({ side: 'left', text })), ...right.map((text): Step => ({ side: 'right', text }))];
  }
  const width = right.length + 1;
  // The length of the longest common sequence of what follows each pair of places.
  const common = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      common[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    if (one !== undefined && one === other) [all[all.length], i, j] = [{ side: 'both', text: one }, i + 1, j + 1];
    else if (one !== undefined && (other === undefined || at(i + 1, j) >= at(i, j + 1))) [all[all.length], i] = [{ side: 'left', text: one }, i + 1];
    else if (other !== undefined) [all[all.length], j] = [{ side: 'right', text: other }, j + 1];
  }
  return all;
}
