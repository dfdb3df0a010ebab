import type { PageMessage } from '../../src/page-api.ts';

/** A message as `reader` sees it: while it streams in a channel, only its recipient sees it grow. */
export function seenBy(message: PageMessage, reader: string): PageMessage {
  const { streaming: _, streaming_to: recipient, began = '', ...rest } = message;
  if (recipient === undefined || recipient === reader) return message;
  return { ...rest, text: began, blocks: began === '' ? [] : [{ type: 'markdown', text: began }] };
}

const LINE_OF_TABLE = /^\s*\|/;
const RULE_OF_TABLE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** The blocks of a message that is still streaming, without the bare pipes of an unfinished table. */
export function withoutBegunTable(blocks: readonly unknown[]): unknown[] {
  return blocks.map((block) => {
    const isMarkdown = typeof block === 'object' && block !== null && 'text' in block && 'type' in block;
    if (!isMarkdown || block.type !== 'markdown' || typeof block.text !== 'string') return block;
    return { ...block, text: withoutBareHead(block.text) };
  });
}

/** A table starts once the line below its header is complete, with as many columns. In code, pipes are just pipes. */
function withoutBareHead(text: string): string {
  const isInCode = text.split('```').length % 2 === 0;
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  let first = last;
  while (first >= 0 && LINE_OF_TABLE.test(lines[first] ?? '')) first -= 1;
  first += 1;
  const [head = '', rule = ''] = lines.slice(first);
  const isTable = RULE_OF_TABLE.test(rule) && cells(head) === cells(rule);
  return isInCode || isTable || first > last ? text : lines.slice(0, first).join('\n');
}

function cells(line: string): number {
  return line
    .trim()
    .replaceAll('\\|', '')
    .split('|')
    .filter((cell) => cell !== '').length;
}
