// Sentences of the API put names between backticks. Names are text of others, so a backtick in one only moves a border.

export interface Word {
  text: string;
  isName: boolean;
}

/** A sentence cut at its backticks. One without a partner is shown as it is. */
export function words(sentence: string): Word[] {
  const parts = sentence.split('`');
  const isUneven = parts.length % 2 === 0;
  if (isUneven) parts.push(`\`${parts.pop() ?? ''}`);
  const found: Word[] = [];
  for (const [at, text] of parts.entries()) {
    // After the odd one out stands no name, whatever its place.
    const isName = at % 2 === 1 && !(isUneven && at === parts.length - 1);
    if (text !== '') found.push({ text, isName });
  }
  return found;
}
