import { expect, test } from 'vitest';
import { placeOf } from './time';

const scans = [
  { scan_id: 'monday', time: '2026-11-02T09:00:00Z' },
  { scan_id: 'friday', time: '2026-11-06T09:00:00Z' },
];

test.each([
  ['a scan is where it is', 'friday', 1],
  ['a date includes its whole day', '2026-11-06', 1],
  ['a date between two is at the earlier', '2026-11-04', 0],
  ['a time is exact', '2026-11-06T08:59:59Z', 0],
  ['what is before everything has no place', '2026-11-01', -1],
  ['what is no point is the present', 'now', 1],
])('%s', (_, at, place) => expect(placeOf(scans, at)).toBe(place));
