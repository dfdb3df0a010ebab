import type { KnownBlock, ModalView } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { Part, ShownKind } from '../../alerts/senders/shown.ts';
import { actionIds } from '../action-ids.ts';
import { bold, clean, literal, quoted, userMention } from '../escape.ts';
import { select, selectMany } from '../inputs.ts';
import { fitModal } from '../modal.ts';
import { actions, button, context, section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';
import { count } from '../words.ts';

/** A sender of a channel, and how its messages are read. Names, headings, examples and values are untrusted. */
export interface SenderView {
  /** What its buttons carry. */
  id: string;
  name: string;
  messages: number;
  kinds: readonly Omit<ShownKind, 'kind'>[];
  confirmed: { by: string; at: number } | null;
}
type Kind = SenderView['kinds'][number];

const MAX_NAME = 60;
const MAX_HEADING = 60;
const MAX_EXAMPLE = 120;
const MAX_OPTION = 60;
const MAX_VALUE = 24;
const SHOWN_VALUES = 2;
const SHOWN_KINDS = 3;

/** Each sender in two lines, those that are not clear first: only these ask. */
export function senderBlocks(senders: readonly SenderView[]): KnownBlock[] {
  const asks = (one: SenderView) => one.confirmed === null && one.kinds.some(({ isSure }) => !isSure);
  return senders
    .toSorted((a, b) => Number(asks(b)) - Number(asks(a)))
    .flatMap((one): KnownBlock[] => {
      const examples = examplesOf(one).map((text) => `“${quoted(text, MAX_EXAMPLE)}”`);
      const buttons = [
        ...(asks(one) ? [button('That’s right', actionIds.confirmSender, pressedFor(one), 'primary')] : []),
        button(asks(one) ? 'Correct…' : 'Change…', actionIds.correctSender, one.id),
      ];
      return [
        section(
          `${headline(one)}\n${sentence(one)}${asks(one) ? `${isProposed(one) ? ` ${PROPOSED}` : ''} *Right?*` : ''}`,
        ),
        ...(examples.length > 0 ? [context(`For example ${examples.join(' and ')}`)] : []),
        { ...actions(buttons), block_id: `sender:${one.id}` },
      ];
    });
}

const PROPOSED = '_Proposed by the model._';

function isProposed({ kinds }: SenderView): boolean {
  return kinds.some((kind) => kind.isProposed === true);
}

/** What the button of a sender carries: a proposal that its form did not show is not confirmed. */
export function pressedFor(sender: SenderView): string {
  return isProposed(sender) ? `${sender.id} proposed` : sender.id;
}

function headline({ name, messages, kinds, confirmed }: SenderView): string {
  const by = confirmed === null ? '' : ` Confirmed by ${userMention(confirmed.by)}.`;
  const of = `${count(messages, 'message')}, ${count(kinds.length, 'kind')}`;
  return `${bold(cutAtWord(oneLine(clean(name)), MAX_NAME))}: ${of}.${by}`;
}

/** `“Backup failed” by host is trouble; “Backup ok” ends it.` */
function sentence({ kinds }: SenderView): string {
  const troubles = kinds.filter(({ is }) => is === 'trouble');
  if (troubles.length === 0) return 'None of them is an alert.';
  const shown = troubles.slice(0, SHOWN_KINDS).map((one) => {
    const ends = kinds.filter((other) => other.ends.includes(one.id)).map(headed);
    const by =
      one.objects.length === 0 ? '' : ` by ${one.objects.map((key) => partNamed(one, key)).join(' and ')}`;
    return `${headed(one)}${by} reports a problem${ends.length === 0 ? '' : `; ${ends.slice(0, SHOWN_KINDS).join(' or ')} ends it`}.`;
  });
  const more = troubles.length - shown.length;
  return `${shown.join(' ')}${more > 0 ? ` ${more} more kinds report problems.` : ''}`;
}

/** Of the first trouble and of what ends it, else two of one kind. */
function examplesOf({ kinds }: SenderView): string[] {
  const trouble = kinds.find(({ is }) => is === 'trouble') ?? kinds[0];
  const ending = kinds.find(({ ends }) => trouble !== undefined && ends.includes(trouble.id));
  const [first, second] = trouble?.examples ?? [];
  return [first, ending?.examples[0] ?? second].filter((text) => text !== undefined);
}

function headed({ heading }: Kind): string {
  return `“${quoted(heading, MAX_HEADING)}”`;
}

function partNamed({ parts }: Kind, key: string): string {
  const part = parts.find((one) => one.key === key);
  return part === undefined ? '' : literal(part.label ?? `name (${valuesOf(part)})`);
}

function valuesOf({ values }: Part): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => cutAtWord(oneLine(clean(value)), MAX_VALUE));
  return `${shown.join(', ')}${values.length > shown.length ? ' …' : ''}`;
}

/** How a kind's field is named: other kinds come where a person says which part is the state. */
export function senderField(what: 'is' | 'objects', id: string, states: readonly string[]): string {
  return `${what}:${states.length}:${id}`;
}

/** What a person can say of each kind of a sender's messages. */
export function senderModal(
  sender: SenderView,
  { metadata, states }: { metadata: string; states: readonly string[] },
): ModalView {
  return fitModal({
    callbackId: viewIds.sender,
    title: 'Correct a sender',
    submit: 'Save',
    privateMetadata: metadata,
    blocks: [
      section(
        `${headline(sender)} Say what each kind of its messages is, and which part tells one problem from another. It wins over what I read myself.`,
      ),
      ...sender.kinds.flatMap((kind): KnownBlock[] => {
        const examples = kind.examples.map((text) => `“${quoted(text, MAX_EXAMPLE)}”`).join('\n');
        const of = `${count(kind.messages, 'message')}`;
        return [
          { type: 'divider' },
          section(`*${of}*${kind.isProposed === true ? ` ${PROPOSED}` : ''}\n${examples}`),
          select(
            { name: senderField('is', kind.id, states), label: 'These messages' },
            chosenOf(kind),
            readings(kind, sender.kinds),
          ),
          ...(kind.parts.length === 0
            ? []
            : [
                selectMany(
                  {
                    name: senderField('objects', kind.id, states),
                    label: 'What tells problems apart',
                    hint: 'Without any, all of these are one problem.',
                  },
                  kind.objects,
                  Object.fromEntries(kind.parts.map((part) => [part.key, partLabel(part)])),
                ),
              ]),
        ];
      }),
    ],
  });
}

/** Of a choice: the kinds that messages end, or the part that says their state. */
export const CHOICES = {
  trouble: 'trouble',
  noAlert: 'no_alert',
  open: 'open',
  ends: 'ends:',
  state: 'state:',
} as const;

function chosenOf({ is, ends }: Kind): string {
  if (is === 'recovery') return ends.length === 0 ? CHOICES.open : `${CHOICES.ends}${ends.join(',')}`;
  return is === 'trouble' ? CHOICES.trouble : CHOICES.noAlert;
}

function readings(kind: Kind, all: readonly Kind[]): Record<string, string> {
  const ending = (kinds: readonly Kind[]) => [
    `${CHOICES.ends}${kinds.map(({ id }) => id).join(',')}`,
    `End “${kinds.map(({ heading }) => plain(heading, MAX_OPTION / kinds.length)).join('” and “')}”`,
  ];
  const several = all.filter(({ id }) => kind.ends.includes(id));
  return {
    [CHOICES.trouble]: 'Report a problem',
    ...Object.fromEntries([
      ...(several.length > 1 ? [ending(several)] : []),
      ...all.filter(({ id }) => id !== kind.id).map((other) => ending([other])),
    ]),
    [CHOICES.noAlert]: 'Are not alerts',
    ...Object.fromEntries(
      kind.parts
        .filter(({ mayBeState }) => mayBeState)
        .map((part) => [
          `${CHOICES.state}${part.key}`,
          `Depends on ${part.label ?? 'the word'}: ${valuesOf(part)}`,
        ]),
    ),
    [CHOICES.open]: 'Leave it to Gumshoe',
  };
}

function partLabel(part: Part): string {
  return part.label === null ? valuesOf(part) : `${plain(part.label, MAX_VALUE)}: ${valuesOf(part)}`;
}

function plain(text: string, max: number): string {
  return cutAtWord(oneLine(clean(text)), max);
}
