import type { PostInput } from 'local-slack';

/** What an alert is about. */
export interface Problem {
  /** A service of the shop. */
  service: string;
  /** What people see of it: `High error rate`. */
  symptom: string;
  /** Six digits that no other problem has; every id in a message comes from it. */
  number: number;
}

/** A message as its tool sends it, wherever it goes. */
export type ToolMessage = Pick<PostInput, 'username' | 'icon' | 'app' | 'text' | 'blocks' | 'attachments'>;

/** How a tool says that a problem is over. */
export interface Recovery {
  /** In a message of its own, in the thread of the alert, or by an edit of the alert's message. */
  by: 'message' | 'reply' | 'edit';
  /** `now` in milliseconds. */
  write(problem: Problem, now: number): ToolMessage;
}

/**
 * One monitoring tool, played from its fixtures. Only what tells one problem from another is replaced in their messages:
 * the service, names, ids and times.
 */
export interface Tool {
  id: string;
  /** What people call it. */
  name: string;
  /** The same for a problem that fires again, but for the time; `now` in milliseconds. */
  fires(problem: Problem, now: number): ToolMessage;
  /** `null` if the tool never says that something is over. */
  recovers: Recovery | null;
}

/** What a tool posts to a webhook. */
interface PlayedWebhook {
  /** The JSON of the body; `now` in milliseconds. */
  body(problem: Problem, now: number): unknown;
  /** Those with which the tool describes the body. */
  headers: Readonly<Record<string, string>>;
}

/** One source of webhooks, played from its fixtures as {@link Tool} is. */
export interface WebhookTool {
  id: string;
  /** What people call it. */
  name: string;
  /** As in `POST /alerts/<source>`. */
  source: string;
  fires: PlayedWebhook;
  /** `null` if the tool never says that something is over. */
  recovers: PlayedWebhook | null;
}
