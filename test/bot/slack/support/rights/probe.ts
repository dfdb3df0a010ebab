import { createHash } from 'node:crypto';

/** Stands in everything that the private channel says. */
export const SECRET = 'Zanzibar';

/** Who posts there, and what its buttons carry. */
export const SENDER = 'C0SECRET backup';
export const SENDER_ID = createHash('sha256').update(SENDER).digest('hex').slice(0, 12);

/** What a payload can name: what is there, what is not, or nonsense. */
export interface Names {
  channel: string;
  issue: string;
  other: string;
  failed: string;
  muted: string;
  uuid: string;
  number: string;
  mutedNumber: string;
  otherNumber: string;
  hold: string;
  held: string;
  question: string;
  failedQuestion: string;
  offer: string;
  report: string;
  repeat: string;
  step: string;
  done: string;
  plan: string;
}

/** Who sends it, and from where Slack says that they do. */
export interface Sender {
  user: string;
  channel: string;
}

export type Payload = (from: Sender, names: Names) => Record<string, unknown>;

/** One thing that somebody can do with a listener. */
export interface Probe {
  what: string;
  payload: Payload;
  /** Only admins may; U1, a member, is refused as well. */
  admins?: true;
  /** It names nothing that could be another's: any member may do it from anywhere. */
  open?: true;
  /** What it answers those who may names no issue here. */
  answers?: true;
  /** What our store does not know of is the service's to know. */
  ofTheService?: true;
  /** What is of no avail passes without a word. */
  quiet?: true;
}

const common = ({ user, channel }: Sender) => ({
  team: { id: 'T1', domain: 'acme' },
  user: { id: user, name: 'somebody' },
  channel: { id: channel, name: 'somewhere' },
  trigger_id: '1.2.3',
});

/** A button in a message, or a choice in a menu there; `value` is what it carries. */
export function pressed(action_id: string, value: (names: Names) => string, menu = false): Payload {
  return (from, names) => {
    const text = { type: 'plain_text', text: 'x' };
    const chosen = menu ? { selected_option: { text, value: value(names) } } : { value: value(names) };
    return {
      ...common(from),
      type: 'block_actions',
      container: { type: 'message', message_ts: '9.0' },
      message: { type: 'message', ts: '9.0', thread_ts: '1.000000', text: '' },
      actions: [{ type: menu ? 'overflow' : 'button', action_id, block_id: 'b', action_ts: '1', ...chosen }],
    };
  };
}

interface Window {
  callback: string;
  remembers: (names: Names) => unknown;
  values?: (names: Names) => object;
}

function viewOf({ callback, remembers, values }: Window, names: Names) {
  const remembered = remembers(names);
  return {
    id: 'V1',
    type: 'modal',
    callback_id: callback,
    private_metadata: typeof remembered === 'string' ? remembered : JSON.stringify(remembered),
    state: { values: values?.(names) ?? {} },
  };
}

/** A button in a modal: Slack names no channel. */
export function actionInModal(action_id: string, value: string, window: Window): Payload {
  return (from, names) => {
    const { channel: _none, ...rest } = common(from);
    const actions = [{ type: 'button', action_id, block_id: 'b', action_ts: '1', value }];
    const container = { type: 'view', view_id: 'V1' };
    return { ...rest, type: 'block_actions', container, view: viewOf(window, names), actions };
  };
}

/** A modal is sent. */
export function sent(window: Window): Payload {
  return (from, names) => {
    const { channel: _none, ...rest } = common(from);
    return { ...rest, type: 'view_submission', view: viewOf(window, names), response_urls: [] };
  };
}

/** A command is written. */
export function wrote(command: string, text: (names: Names) => string): Payload {
  return ({ user, channel }, names) => ({
    command,
    text: text(names),
    team_id: 'T1',
    channel_id: channel,
    channel_name: 'somewhere',
    user_id: user,
    user_name: 'somebody',
    trigger_id: '1.2.3',
  });
}

/** Slack tells of something that somebody did. */
export function happened(event: (from: Sender, names: Names) => Record<string, unknown>): Payload {
  return (from, names) => ({
    type: 'event_callback',
    team_id: 'T1',
    api_app_id: 'A1',
    event_id: 'Ev1',
    event: event(from, names),
  });
}
