import { z } from 'zod';
import { signedHeaders } from './deliver.ts';
import type { Block, Channel, Message } from './entities.ts';
import { PersonError, SlackError } from './errors.ts';
import { describe } from './interact/payload.ts';
import { LIMITS } from './limits.ts';
import { editMessage } from './messages/change.ts';
import { literalText } from './messages/normalise.ts';
import { type Author, postMessage } from './messages/post.ts';
import { isSlackbots } from './seed.ts';
import { checkBlocks } from './validate/check.ts';
import type { Slackbot, WorkspaceContext } from './workspace-context.ts';

interface Reply {
  text: string;
  blocks?: readonly Block[];
}

type Arguments = Record<string, unknown>;

const SLACKBOT: Author = { kind: 'other_app', app_id: 'A0SLACKBOT', name: 'Slackbot' };

/** The blocks that Slackbot shows of an answer; one that is wrong drops all. */
const SHOWN_BLOCKS = new Set(
  'actions card carousel container context data_table data_visualization divider file header image input markdown rich_text section table video'.split(
    ' ',
  ),
);

const NO_SERVER =
  'I have no tools: the app’s manifest names no MCP server (`features.mcp_servers`), or the app is not running.';
const NO_SCOPE = 'I may not call the app’s MCP server: its manifest lacks the scope `mcp:connect`.';

/** It chooses tools without a model. */
export function createSlackbot(
  contextOf: () => WorkspaceContext,
  mcpServer: (() => string | null) | undefined,
): Slackbot {
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();

  /** Connects for a person, and words what goes wrong. */
  const withServer = async (user: string, use: (server: Server) => Promise<Reply>): Promise<Reply> => {
    const context = contextOf();
    const url = mcpServer ? mcpServer() : (context.manifest.mcpServer ?? null);
    if (url === null) return { text: NO_SERVER };
    if (!mcpServer && !context.manifest.scopes.includes('mcp:connect')) return { text: NO_SCOPE };
    const over = new AbortController();
    const late = new AbortController();
    context.clock.sleep(LIMITS.slackbotCall, over.signal).then(
      () => late.abort(),
      () => undefined,
    );
    try {
      return await use(await connect(context, url, user, AbortSignal.any([late.signal, stopped.signal])));
    } catch (error) {
      if (late.signal.aborted)
        return { text: `The app did not answer in ${LIMITS.slackbotCall / 1_000} seconds.` };
      if (error instanceof ServerError) return { text: escaped(error.message) };
      const why = error instanceof Error ? String(error.cause ?? error.message) : String(error);
      return { text: escaped(`The app’s MCP server at ${url} did not answer: ${why}`) };
    } finally {
      over.abort();
    }
  };

  const answer = async (channel: Channel, { user = '', text, thread_ts }: Message): Promise<void> => {
    const reply = await withServer(user, async (server) => {
      const choice = chosenTool(server.tools, literalText(text).trim());
      return 'text' in choice ? choice : use(server, choice.tool, choice.args);
    });
    if (!stopped.signal.aborted) postMessage(contextOf(), { channel, author: SLACKBOT, thread_ts, ...reply });
  };

  return {
    hear: (channel, message) => {
      if (!isSlackbots(channel) || message.text === '') return;
      const task = answer(channel, message).finally(() => running.delete(task));
      running.add(task);
    },
    press: async ({ user, channel, message, element }) => {
      const { action_id, fields } = element;
      const [kind, name = ''] = [action_id.split(':')[0], action_id.slice(action_id.indexOf(':') + 1)];
      if (element.type !== 'button' || !['tool', 'allow', 'deny'].includes(kind ?? ''))
        throw new PersonError('Slackbot calls a tool for a button whose action_id is tool:<tool>.');
      const args = jsonObject(String(fields.value ?? '{}'));
      if (args === null) throw new PersonError('The value of that button is no JSON object.');
      const reply =
        kind === 'deny'
          ? { text: `\`${name}\` was not called.` }
          : await withServer(user.id, async (server) => {
              const tool = server.tools.find((one) => one.name === name);
              if (tool) return use(server, tool, args, kind === 'allow');
              return { text: escaped(`The app’s MCP server has no tool ${name} for you.`) };
            });
      if (stopped.signal.aborted) return;
      // As a change of Slack's own, it bears no mark of an edit.
      editMessage(contextOf(), channel, message, { blocks: [], ...reply, unfurl: true });
    },
    close: async () => {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

const Property = z.looseObject({
  type: z.unknown(),
  enum: z.array(z.unknown()).optional(),
});
const Tool = z.object({
  name: z.string(),
  title: z.string().default(''),
  description: z.string().default(''),
  inputSchema: z.object({
    properties: z.record(z.string(), Property).default({}),
    required: z.array(z.string()).default([]),
  }),
  annotations: z.object({ readOnlyHint: z.boolean().optional() }).optional(),
  _meta: z
    .object({ slack: z.object({ supportsBlockKit: z.boolean().optional() }).optional() })
    .optional()
    .catch(undefined),
});
type Tool = z.infer<typeof Tool>;

const Result = z.object({
  content: z.array(z.object({ text: z.string().optional() })).default([]),
  _meta: z
    .object({ slack: z.object({ blocks: z.unknown() }).optional() })
    .optional()
    .catch(undefined),
});

const Answer = z.object({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** The server refused, or answered what is not MCP; the message is a sentence. */
class ServerError extends Error {
  override name = 'ServerError';
}

interface Server {
  tools: Tool[];
  call(name: string, args: Arguments): Promise<z.infer<typeof Result>>;
}

/** The handshake of MCP before July 2026, as Slackbot does it; each request is signed and names the person. */
async function connect(
  { clock, team, credentials }: WorkspaceContext,
  url: string,
  user_id: string,
  signal: AbortSignal,
): Promise<Server> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = async (message: object, params: object): Promise<{ response: Response; text: string }> => {
    const named = { ...params, _meta: { slack: { user_id, team_id: team.id } } };
    const body = JSON.stringify({ jsonrpc: '2.0', ...message, params: named });
    const signed = { ...headers, ...signedHeaders(body, credentials.signingSecret, clock) };
    const response = await fetch(url, { method: 'POST', redirect: 'manual', signal, body, headers: signed });
    return { response, text: await response.text() };
  };
  let id = 0;
  const ask = async <T>(method: string, params: object, shape: z.ZodType<T>): Promise<T> => {
    id += 1;
    const { response, text } = await post({ id, method }, params);
    const session = response.headers.get('mcp-session-id');
    if (session !== null) headers['mcp-session-id'] = session;
    const messages = messagesIn(text, response.headers.get('content-type') ?? '');
    const own = messages.find((one) => one.id === id) ?? messages.find(({ error }) => error);
    if (own?.error) throw new ServerError(`The app’s MCP server refused ${method}: ${own.error.message}`);
    if (!response.ok)
      throw new ServerError(`The app’s MCP server answered ${method} with ${response.status}.`);
    const read = shape.safeParse(own?.result);
    if (read.success) return read.data;
    throw new ServerError(`The app’s MCP server answered ${method} with what is not MCP.`);
  };
  const { protocolVersion } = await ask(
    'initialize',
    {
      protocolVersion: '2025-06-18',
      capabilities: { extensions: { 'io.slack/block-kit': {} } },
      clientInfo: { name: 'slackbot', version: '1' },
    },
    z.object({ protocolVersion: z.string() }),
  );
  headers['mcp-protocol-version'] = protocolVersion;
  await post({ method: 'notifications/initialized' }, {});
  const { tools } = await ask('tools/list', {}, z.object({ tools: z.array(Tool) }));
  return { tools, call: (name, args) => ask('tools/call', { name, arguments: args }, Result) };
}

/** The messages of an answer, which is JSON or a stream of events. */
function messagesIn(text: string, type: string): z.infer<typeof Answer>[] {
  const bodies = type.startsWith('text/event-stream')
    ? text.split(/\r?\n\r?\n/u).map((event) => event.replace(/^(?!data:).*$/gmu, '').replace(/^data:/gmu, ''))
    : [text];
  return bodies.flatMap((body) => Answer.safeParse(jsonObject(body)).data ?? []);
}

function jsonObject(text: string): Arguments | null {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Calls a tool; one that may change something asks the person first. */
async function use(server: Server, tool: Tool, args: Arguments, allowed = false): Promise<Reply> {
  if (!allowed && tool.annotations?.readOnlyHint !== true) return question(tool, args);
  const { content, _meta } = await server.call(tool.name, args);
  const text = escaped(content.flatMap((one) => one.text ?? []).join('\n')) || 'It answered nothing.';
  const blocks = _meta?.slack?.blocks;
  if (blocks === undefined || tool._meta?.slack?.supportsBlockKit !== true) return { text };
  try {
    const checked = checkBlocks(blocks);
    const other = checked.find(({ type }) => !SHOWN_BLOCKS.has(type));
    if (other) throw new SlackError('invalid_blocks', { errors: [`Slackbot shows no ${other.type}`] });
    return { text, blocks: checked };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    return { text: `${text}\n\n_${escaped(`Its blocks were dropped: ${describe(error)}`)}_` };
  }
}

function question({ name, title }: Tool, args: Arguments): Reply {
  const value = JSON.stringify(args);
  const text = `May I call *${escaped(title || name)}* with \`${escaped(value).slice(0, 2_500)}\`? It may change something.`;
  const button = (kind: string, label: string) => ({
    type: 'button',
    text: { type: 'plain_text', text: label },
    action_id: `${kind}:${name}`,
    value,
  });
  return {
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text } },
      { type: 'actions', elements: [button('allow', 'Allow once'), button('deny', 'Deny')] },
    ],
  };
}

/** An argument that means one thing of many, by its number. */
const NUMBERED = /^(?:issue|number|id)$|_(?:id|number)$/u;

/** The tool that a message names, or else the one whose words it shares most; with arguments, or what to say instead. */
function chosenTool(tools: readonly Tool[], message: string): { tool: Tool; args: Arguments } | Reply {
  const [first = ''] = message.split(/\s/u);
  const named = tools.find(({ name }) => name === first);
  const tool = named ?? closest(tools, message);
  if (!tool) {
    const list = tools.map(({ name, title }) => `• \`${name}\` ${escaped(title)}`).join('\n');
    return {
      text: tools.length === 0 ? 'The app’s MCP server has no tools for you.' : `I can call\n${list}`,
    };
  }
  const rest = named ? message.slice(first.length).trim() : message;
  const args = (named ? writtenArguments(tool, rest) : null) ?? guessedArguments(tool, rest);
  const missing = tool.inputSchema.required.filter((name) => !(name in args));
  if (missing.length === 0) return { tool, args };
  const example = missing.map((name) => `${name}=…`).join(' ');
  return { text: `\`${tool.name}\` needs more. Write \`${tool.name} ${example}\`.` };
}

/** A word counts the more, the fewer tools have it. */
function closest(tools: readonly Tool[], message: string): Tool | undefined {
  const all = tools.map((tool) => wordsIn([tool.name, tool.title, tool.description].join(' ')));
  const points = all.map((own) =>
    [...wordsIn(message)]
      .filter((word) => own.has(word))
      .reduce((sum, word) => sum + 1 / all.filter((words) => words.has(word)).length, 0),
  );
  const most = Math.max(0, ...points);
  return most > 0 ? tools[points.indexOf(most)] : undefined;
}

function wordsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.map((word) => word.replace(/s$/u, '')));
}

/** `{"issue":"1"}`, or `issue=1 status="ready to fix"`; `null` where it is neither. */
function writtenArguments(tool: Tool, text: string): Arguments | null {
  if (text.startsWith('{')) return jsonObject(text);
  const pairs = [...text.matchAll(/([\w-]+)=(?:"([^"]*)"|(\S+))\s*/gu)];
  if (pairs.map(([whole]) => whole).join('') !== text) return null;
  return Object.fromEntries(
    pairs.map(([, key = '', quoted, bare = '']) => [key, typed(tool, key, quoted ?? bare)]),
  );
}

/** The one text that is required is what was said, and a number in it is that of the issue. */
function guessedArguments(tool: Tool, message: string): Arguments {
  const { properties, required } = tool.inputSchema;
  const args: Arguments = {};
  const number = /(?:^|[\s#])([A-Z]?\d+)\b/u.exec(message)?.[1];
  for (const [name, { enum: values = [] }] of Object.entries(properties)) {
    if (NUMBERED.test(name) && number !== undefined) args[name] = typed(tool, name, number);
    else if (required.includes(name)) {
      const value = values.find((one) => message.split(/\s+/u).includes(String(one)));
      if (value !== undefined) args[name] = value;
    }
  }
  const texts = required.filter(
    (name) =>
      properties[name]?.type === 'string' && properties[name].enum === undefined && !NUMBERED.test(name),
  );
  const [only] = texts;
  if (only !== undefined && texts.length === 1 && message !== '') args[only] = message;
  return args;
}

function typed(tool: Tool, name: string, text: string): unknown {
  const type = tool.inputSchema.properties[name]?.type;
  if ((type === 'integer' || type === 'number') && text !== '') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
