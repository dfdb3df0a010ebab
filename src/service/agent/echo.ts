const LONGEST = 120;

/** What somebody asked for, said back: as code, since it is not ours, and without addresses, since nobody looked at them. */
export function echo(text: string): string {
  const shown = text
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll('`', "'")
    .replaceAll(/\S*(?::\/\/|\bwww\.)\S*/gu, '…')
    .replaceAll(/\s+/gu, ' ');
  return `\`${shown}\``;
}
