import type { Clock } from '../../lib/clock.ts';
import type { PageAlertKind } from '../slack/page-panel.ts';
import type { Workspace } from '../slack/workspace.ts';
import type { Problems } from './problems.ts';
import { Refusal } from './refusal.ts';
import { tools } from './tools/index.ts';
import type { Problem } from './tools/problem.ts';
import type { Recovery, Tool } from './tools/tool.ts';

/** An alert to post. */
export interface AlertInput {
  /** Id in the registry of tools. */
  tool: string;
  how: PageAlertKind;
  /** A channel's id. */
  channel: string;
  /** Overrides what a new problem is about; by default the shop decides. */
  about?: Partial<Pick<Problem, 'service' | 'symptom'>>;
}

/** @throws Refusal, or a SlackError from the local Slack. */
export type PostAlert = (input: AlertInput) => Promise<void>;

/** The last alert of a tool in a channel. */
interface PostedAlert {
  problem: Problem;
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
}): PostAlert {
  const { workspace, problems, clock, signal } = options;
  const posted = new Map<string, PostedAlert>();

  async function fire(tool: Tool, channel: string, problem: Problem): Promise<void> {
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
        await end(tool.recovers, channel, last);
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

function toolOf(id: string): Tool {
  const tool = tools.find((one) => one.id === id);
  if (tool) return tool;
  throw new Refusal(`There is no tool "${id}". Available: ${tools.map((one) => one.id).join(', ')}.`);
}
