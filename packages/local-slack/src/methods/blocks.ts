import { z } from 'zod';
import { SlackError } from '../errors.ts';
import { checkAttachments, checkBlocks, checkHome, checkModal } from '../validate/check.ts';
import { ContentError, type PointedFault } from '../validate/explain.ts';
import { json, type Method, method } from './method.ts';

const KINDS = ['blocks', 'message', 'view'] as const;
type Kind = (typeof KINDS)[number];

/** This method checks shapes only; total sizes are checked when a message is posted or a view is opened. */
const SIZES: readonly string[] = ['msg_blocks_too_long', 'view_too_large'];
const WORDS: Readonly<Record<string, string>> = {
  invalid_blocks_format: 'must provide an array',
  invalid_attachments: 'must provide an array of objects',
  too_many_attachments: 'too many attachments',
};
const Message = z.looseObject({ blocks: z.unknown().optional(), attachments: z.unknown().optional() });
const Typed = z.looseObject({ type: z.unknown() });

function faultsIn(pointer: string, check: () => unknown): readonly PointedFault[] {
  try {
    check();
    return [];
  } catch (cause) {
    if (cause instanceof ContentError) return cause.faults;
    if (!(cause instanceof SlackError)) throw cause;
    if (SIZES.includes(cause.code)) return [];
    return [{ pointer, code: 'failed_constraint', message: WORDS[cause.code] ?? cause.code }];
  }
}

const notAnObject: PointedFault = {
  pointer: '',
  code: 'failed_constraint',
  message: 'must provide an object',
};

const CHECKS: Readonly<Record<Kind, (value: unknown) => readonly PointedFault[]>> = {
  blocks: (value) => faultsIn('', () => checkBlocks(value, '')),
  message: (value) => {
    const message = Message.safeParse(value);
    if (!message.success) return [notAnObject];
    const { blocks, attachments } = message.data;
    return [
      ...(blocks === undefined ? [] : faultsIn('/blocks', () => checkBlocks(blocks))),
      ...(attachments === undefined ? [] : faultsIn('/attachments', () => checkAttachments(attachments))),
    ];
  },
  view: (value) => {
    const view = Typed.safeParse(value);
    if (!view.success) return [notAnObject];
    return faultsIn('', () => (view.data.type === 'home' ? checkHome(value, '') : checkModal(value, '')));
  },
};

const validate = method({
  name: 'blocks.validate',
  tokens: ['bot'],
  scopes: [],
  tier: 3,
  checks: ['invalid_arguments', 'invalid_blocks', 'invalid_message', 'invalid_view'],
  unchecked: [
    'the rate limit of its own, of which Slack gives no figure',
    'the constraint of a fault, besides the values that were expected in place of another',
    '`field`, which Slack may give with a fault',
  ],
  args: z.looseObject({ blocks: json.optional(), message: json.optional(), view: json.optional() }),
  handle: (_, args) => {
    const given = KINDS.filter((kind) => args[kind] !== undefined && args[kind] !== '');
    const [kind] = given;
    if (kind === undefined || given.length > 1) {
      const text = 'must provide exactly one of: blocks, message, view';
      throw new SlackError('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${text}`] } });
    }
    const errors = CHECKS[kind](args[kind]);
    if (errors.length > 0) throw new SlackError(`invalid_${kind}`, { errors });
    return {};
  },
});

export const blocksMethods: readonly Method[] = [validate];
