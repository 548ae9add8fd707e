// Where a point in time is among scans.

import { parse } from '$shared/text/time';

/** The last scan that a point includes, of scans that are oldest first; below zero when it is before all of them. */
export function placeOf(scans: readonly { scan_id: string; time: string }[], at: string): number {
  const own = scans.findIndex((scan) => scan.scan_id === at);
  if (own >= 0) return own;
  // A date means all of its day.
  const moment = parse(/^\d{4}-\d{2}-\d{2}$/.test(at) ? `${at}T23:59:59.999Z` : at);
  if (!moment) return scans.length - 1;
  return scans.findLastIndex((scan) => (parse(scan.time)?.getTime() ?? 0) <= moment.getTime());
}
