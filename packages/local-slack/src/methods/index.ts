import { SlackError } from '../errors.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { agentsMethods } from './agents.ts';
import { blocksMethods } from './blocks.ts';
import { chatMethods } from './chat.ts';
import { conversationsMethods } from './conversations.ts';
import { filesMethods } from './files.ts';
import type { Method, TokenKind } from './method.ts';
import { reactionsMethods } from './reactions.ts';
import { viewsMethods } from './views.ts';
import { workspaceMethods } from './workspace.ts';

/** Every method of the Web API that the workspace has; any other is `unknown_method`. */
export const METHODS: readonly Method[] = [
  ...agentsMethods,
  ...blocksMethods,
  ...chatMethods,
  ...conversationsMethods,
  ...filesMethods,
  ...reactionsMethods,
  ...viewsMethods,
  ...workspaceMethods,
];

/** What the workspace claims to implement: each method with the refusals that it makes itself. */
export const COVERAGE = METHODS.map(({ name, checks }) => ({ method: name, checks }));

const BY_NAME = new Map(METHODS.map((method) => [method.name, method]));

/** @throws SlackError `unknown_method`. */
function findMethod(name: string): Method {
  const method = BY_NAME.get(name);
  if (!method) throw new SlackError('unknown_method', { req_method: name });
  return method;
}

/** @throws SlackError `not_authed`, `invalid_auth`, `not_allowed_token_type`, or why the token is refused. */
function authenticate(
  { credentials, faults }: WorkspaceContext,
  method: Method,
  token: string | undefined,
): TokenKind | undefined {
  if (method.tokens.length === 0) return undefined;
  if (token === undefined || token === '') throw new SlackError('not_authed');
  const kind = token === credentials.botToken ? 'bot' : token === credentials.appToken ? 'app' : undefined;
  if (!kind) throw new SlackError('invalid_auth');
  const refusal = faults.now().token;
  if (kind === 'bot' && refusal !== null) throw new SlackError(refusal);
  if (!method.tokens.includes(kind)) throw new SlackError('not_allowed_token_type');
  return kind;
}

/**
 * Calls a method as Slack does: known, authenticated, allowed by the manifest's scopes, in time.
 *
 * @throws SlackError any refusal.
 */
export async function callMethod(
  context: WorkspaceContext,
  name: string,
  token: string | undefined,
  args: object,
): Promise<object> {
  const method = findMethod(name);
  const kind = authenticate(context, method, token);
  const { scopes } = context.manifest;
  if (method.scopes.length > 0 && !method.scopes.some((scope) => scopes.includes(scope))) {
    throw new SlackError('missing_scope', { needed: method.scopes.join(','), provided: scopes.join(',') });
  }
  context.rates.call(name, method.tier);
  return method.call(context, args, kind);
}
