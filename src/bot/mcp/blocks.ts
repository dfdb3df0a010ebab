import { z } from 'zod';
import { cutAtWord } from '../../lib/text.ts';

/** What the blocks show of a result. */
interface Result {
  number: string;
  state: string;
  rootCause: string | null;
  confidence: string | null;
  actions: readonly { title: string }[];
  evidence: readonly { title: string; description: string }[];
}

/** What Slackbot takes of blocks; one that is wrong would drop all. */
const plainText = (most: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(most) });
const Block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: plainText(150) }),
  z.strictObject({ type: z.literal('markdown'), text: z.string().min(1).max(10_000) }),
  z.strictObject({ type: z.literal('divider') }),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(
        z.strictObject({
          type: z.literal('button'),
          text: plainText(75),
          action_id: z.string().startsWith('tool:').max(255),
          value: z.string().max(2_000),
        }),
      )
      .min(1)
      .max(25),
  }),
]);
const Blocks = z.array(Block).min(1).max(50);

type Blocks = z.input<typeof Blocks>;

/** The verdict for Slackbot, with buttons that call tools again; none where a block would be refused. */
export function resultBlocks(data: Result): Blocks {
  const { number, state, rootCause, confidence, actions, evidence } = data;
  const [first] = actions;
  const verdict =
    rootCause ?? (state === 'investigating' ? 'The investigation is still running.' : 'No cause was found.');
  const lines = [
    `**${cutAtWord(safe(verdict), 1_500)}**${confidence ? ` (confidence ${safe(confidence)})` : ''}`,
    first === undefined ? '' : `**Do first:** ${cutAtWord(safe(first.title), 500)}`,
    ...evidence.slice(0, 5).map((one) => `- ${cutAtWord(safe(`${one.title}: ${one.description}`), 500)}`),
  ];
  const button = (label: string, tool: string, value: object) => ({
    type: 'button' as const,
    text: { type: 'plain_text' as const, text: label },
    action_id: `tool:${tool}`,
    value: JSON.stringify(value),
  });
  const blocks: Blocks = [
    { type: 'header', text: { type: 'plain_text', text: `Issue #${number}` } },
    { type: 'markdown', text: lines.filter((line) => line !== '').join('\n') },
    {
      type: 'actions',
      elements: [
        button('Refresh', 'get_result', { issue: number }),
        button('Similar issues', 'find_similar', { issue: number }),
      ],
    },
  ];
  return Blocks.safeParse(blocks).data ?? [{ type: 'markdown', text: `Issue #${number}` }];
}

/** Text of others in Markdown: no mention, no link, no markup. */
function safe(text: string): string {
  return text
    .replace(/[<>]/gu, (sign) => (sign === '<' ? '‹' : '›'))
    .replace(/([\\`*_[\]()~#|])/gu, '\\$1')
    .replace(/\s+/gu, ' ')
    .trim();
}
