// What texts can be taken for: whatever some detection rule looks at.

import type { RuleRow } from './api';

export function targetsOf(rules: readonly RuleRow[]): string[] {
  return [...new Set(rules.filter((rule) => rule.kind === 'detection').flatMap((rule) => rule.targets))].sort();
}
