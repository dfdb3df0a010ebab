import type { Investigated } from '../tools/investigation.ts';

/** @param head how the thing itself is, if that is known beside the cause */
export function investigationInWords(
  { summary, overview, confidence, evidence, ruledOut }: Investigated,
  head: string | null = null,
): string {
  const list = (items: readonly { title: string; description: string }[]) =>
    items.map(({ title, description }) => `- ${title}. ${description}`);
  const rest =
    summary !== null && overview.startsWith(summary) ? overview.slice(summary.length).trim() : overview;
  const first = [head ?? '', rest].filter((text) => text !== '').join(summary === null ? '\n\n' : ' ');
  const cause =
    summary === null
      ? []
      : [`**Most likely cause**${confidence === null ? '' : ` (confidence ${confidence})`}: ${summary}`];
  const lines = list(summary === null ? ruledOut : evidence);
  return [
    ...(first === '' ? [] : [[first]]),
    ...(cause.length === 0 ? [] : [cause]),
    ...(lines.length === 0 ? [] : [lines]),
  ]
    .map((part) => part.join('\n'))
    .join('\n\n');
}
