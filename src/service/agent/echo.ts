const LONGEST = 120;

/** What somebody asked for, said back: as code, since it is not ours, and without addresses, since nobody looked at them. */
export function echo(text: string): string {
  const shown = text.slice(0, LONGEST).replaceAll(/\S*(?::\/\/|\bwww\.)\S*/gu, '…');
  return code(shown.replaceAll(/\s+/gu, ' '));
}

/** As code: what others wrote must not be read as Markdown. */
export function code(text: string): string {
  return `\`${text.toWellFormed().replaceAll('`', "'")}\``;
}
