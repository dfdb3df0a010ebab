import type { Workspace } from 'local-slack';
import type { Clock } from '../../lib/clock.ts';
import type { Problems } from './problems.ts';
import { Refusal } from './refusal.ts';
import { tools, webhookTools } from './tools/index.ts';
import type { Problem, Recovery, Tool, WebhookTool } from './tools/tool.ts';

/**
 * What a tool posts: a new alert, its last alert in the channel again, or its recovery. `storm` is a hundred alerts about
 * different problems.
 */
export const ALERT_KINDS = ['fires', 'again', 'recovers', 'storm'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** An alert to post. */
export interface AlertInput {
  /** Id in the registry of tools. */
  tool: string;
  how: AlertKind;
  /** A channel's id. */
  channel: string;
  /** Overrides what a new problem is about; by default the shop decides. */
  about?: Partial<Pick<Problem, 'service' | 'symptom'>>;
}

/** @throws Refusal, or a SlackError from the local Slack. */
export type PostAlert = (input: AlertInput) => Promise<void>;

/**
 * Posts a webhook to the bot.
 * @throws Refusal if the bot did not accept it.
 */
export type SendWebhook = (
  source: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
) => Promise<void>;

/** The last alert of a tool in a channel. */
interface PostedAlert {
  problem: Problem;
  /** Empty for a webhook, which is no message. */
  ts: string;
  isOver: boolean;
}

const STORM = 100;
/** Milliseconds between two alerts of a storm, so that it takes a few seconds. */
const STORM_PACE = 40;

/** Posts like the monitoring tools do. Remembers what it has posted until the program ends. */
export function createAlerts(options: {
  workspace: () => Workspace;
  problems: Problems;
  clock: Clock;
  signal: AbortSignal;
  /** Without it, webhooks cannot be played. */
  sendWebhook?: SendWebhook | undefined;
}): PostAlert {
  const { workspace, problems, clock, signal, sendWebhook } = options;
  const posted = new Map<string, PostedAlert>();

  async function send({ source }: WebhookTool, played: WebhookTool['fires'], problem: Problem) {
    if (sendWebhook === undefined)
      throw new Refusal('Gumshoe was not started from here, so no webhook can reach it.');
    await sendWebhook(source, played.body(problem, clock.now()), played.headers);
  }

  async function fire(tool: Tool | WebhookTool, channel: string, problem: Problem): Promise<void> {
    if ('source' in tool) {
      await send(tool, tool.fires, problem);
      posted.set(`${channel} ${tool.id}`, { problem, ts: '', isOver: false });
      return;
    }
    const { ts } = await workspace().post({ channel, ...tool.fires(problem, clock.now()) });
    posted.set(`${channel} ${tool.id}`, { problem, ts, isOver: false });
  }

  async function end(recovery: Recovery, channel: string, { problem, ts }: PostedAlert): Promise<void> {
    const message = recovery.write(problem, clock.now());
    if (recovery.by === 'edit') return workspace().edit({ channel, ts, ...message });
    const thread = recovery.by === 'reply' ? { thread_ts: ts } : {};
    await workspace().post({ channel, ...thread, ...message });
  }

  return async ({ tool: id, how, channel, about }) => {
    const tool = toolOf(id);
    const last = posted.get(`${channel} ${id}`);
    switch (how) {
      case 'fires':
        return fire(tool, channel, problems(about));
      case 'again': {
        if (!last) throw new Refusal(`${tool.name} has posted no alert in this channel yet. Fire one first.`);
        return fire(tool, channel, last.problem);
      }
      case 'recovers': {
        if (!tool.recovers) throw new Refusal(`${tool.name} does not report recoveries.`);
        if (!last || last.isOver)
          throw new Refusal(`${tool.name} has no firing alert in this channel. Fire one first.`);
        if ('source' in tool) await send(tool, tool.recovers, last.problem);
        else await end(tool.recovers, channel, last);
        last.isOver = true;
        return;
      }
      case 'storm':
        for (let n = 0; n < STORM; n += 1) {
          await fire(tool, channel, problems());
          await clock.sleep(STORM_PACE, signal);
        }
    }
  };
}

function toolOf(id: string): Tool | WebhookTool {
  const all = [...tools, ...webhookTools];
  const tool = all.find((one) => one.id === id);
  if (tool) return tool;
  throw new Refusal(`There is no tool "${id}". Available: ${all.map((one) => one.id).join(', ')}.`);
}
