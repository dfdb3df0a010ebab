import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ADMIN,
  type PageMessage,
  type PageOutcome,
  type PagePanel,
  type PageSection,
  SEED_CHANNELS,
} from 'local-slack';
import { z } from 'zod';
import { type Child, startChild, untilPrinted } from './child.ts';
import { unusedPort } from './scripted-service.ts';

const Outcome = z.custom<PageOutcome>((value) => z.object({ ok: z.boolean() }).safeParse(value).success);
const Panel = z.custom<PagePanel>((value) => z.object({ faults: z.object({}) }).safeParse(value).success);
const Messages = z.object({
  messages: z.array(z.custom<PageMessage>((value) => z.object({ ts: z.string() }).safeParse(value).success)),
});

/** What `npm start` runs, in a folder and on a port of its own, used by the calls of its page. */
export interface Demo {
  program: Child;
  folder: string;
  url: string;
  /** The status and the body of a request to its port. */
  ask(path: string): Promise<{ status: number; body: string }>;
  panel(): Promise<PagePanel>;
  /** A section of the panel by its id. */
  section(id: string): Promise<PageSection | undefined>;
  /** Posts a new problem of Alertmanager's in #alerts, as a person does on the panel. */
  alert(): Promise<PageOutcome>;
  /** Somebody uses a command in #alerts. */
  command(command: string, text: string): Promise<PageOutcome>;
  /** The top level of #alerts, or one of its threads without its root; oldest first. */
  alerts(thread?: string): Promise<PageMessage[]>;
  /** Ends it, however it is, with all that it started. */
  end(): Promise<void>;
}

export interface DemoOptions {
  env?: Record<string, string>;
  words?: string[];
  folder?: string;
}

/** Starts it; `untilSays(program, …)` waits for what it says. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'gumshoe-demo-'));
  const port = String(await unusedPort());
  const env: Record<string, string> = {
    DATABASE_URL: `sqlite:${join(folder, 'gumshoe.db')}`,
    PORT: port,
    POLL_CRON: '* * * * * *',
    ...options.env,
  };
  // Slack's three seconds are a matter for tests that have a clock of their own.
  const unhurried = env.SLACK_BOT_TOKEN === undefined ? ['--ack-timeout', '600'] : [];
  const words = [...unhurried, ...(options.words ?? ['--scenario', 'quiet'])];
  const program = startChild('src/start.ts', env, undefined, words);
  const url = `http://127.0.0.1:${env.PORT}`;
  const post = async (path: string, body: object): Promise<PageOutcome> => {
    const answer = await fetch(`${url}/page-api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return Outcome.parse(await answer.json());
  };
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}/page-api/${path}`)).json();
  const panel = async () => Panel.parse(await get('stage'));
  const channel = SEED_CHANNELS.alerts.id;
  return {
    program,
    folder,
    url,
    ask: async (path) => {
      const answer = await fetch(url + path);
      return { status: answer.status, body: await answer.text() };
    },
    panel,
    section: async (id) => (await panel()).sections.find((section) => section.id === id),
    alert: () => post('stage/alert', { tool: 'alertmanager', how: 'fires', channel }),
    command: (command, text) => post('commands', { as: ADMIN, channel, command, text }),
    alerts: async (thread) => {
      const inThread = thread === undefined ? '' : `&thread_ts=${thread}`;
      const { messages } = Messages.parse(await get(`messages?channel=${channel}${inThread}`));
      return thread === undefined ? messages : messages.slice(1);
    },
    end: async () => {
      program.process.kill('SIGKILL');
      await program.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts it, and waits until it runs. */
export async function runDemo(options: DemoOptions = {}): Promise<Demo> {
  const demo = await startDemo(options);
  await untilPrinted(demo.program, /Gumshoe is running/);
  return demo;
}
