import { Pool } from 'undici';
import { type Deliveries, ofWorkspace, signed } from './deliveries.ts';
import type { BenchSlack } from './slack.ts';

/** Hands one delivery over; resolves when it is acknowledged, rejects where it is refused. */
export type Send = (payload: object) => Promise<void>;

/** Over HTTP, signed, on so many connections at most. */
export function overHttp(
  url: string,
  connections: number,
  now: () => number = Date.now,
): { send: Send; close: () => Promise<void> } {
  const pool = new Pool(url, { connections });
  return {
    send: async (payload) => {
      const body = JSON.stringify(payload);
      const { statusCode, body: answer } = await pool.request({
        path: '/slack/events',
        method: 'POST',
        headers: signed(body, now()),
        body,
      });
      await answer.dump();
      if (statusCode !== 200) throw new Error(`answered with ${statusCode}`);
    },
    close: () => pool.close(),
  };
}

/** Over Socket Mode. */
export function overSocket(slack: BenchSlack): { send: Send; close: () => Promise<void> } {
  return { send: (payload) => slack.send(payload), close: async () => undefined };
}

/** What came of a run. */
export interface LoadResult {
  /** The ids that were acknowledged. */
  acknowledged: string[];
  /** Those of them that must have been stored. */
  kept: string[];
  refused: number;
  /** Milliseconds each acknowledgement took, sorted. */
  times: number[];
  seconds: number;
}

/** So many a second for so long, whether or not the earlier ones are acknowledged: as Slack does it. */
export async function atRate(
  send: Send,
  perSecond: number,
  seconds: number,
  next: Deliveries = ofWorkspace,
): Promise<LoadResult> {
  const keep = record(send, next);
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const due = began + (n * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    // From when it was due: what the sender itself is late counts against the program, not for it.
    all.push(keep.one(due));
  }
  await Promise.all(all);
  return keep.sent((performance.now() - began) / 1000);
}

function record(send: Send, next: Deliveries) {
  const acknowledged: string[] = [];
  const kept: string[] = [];
  const times: number[] = [];
  let refused = 0;
  return {
    one: async (since: number): Promise<void> => {
      const { id, payload, matters } = next();
      try {
        await send(payload);
        acknowledged.push(id);
        if (matters) kept.push(id);
        times.push(performance.now() - since);
      } catch {
        refused += 1;
      }
    },
    sent: (seconds: number): LoadResult => ({
      acknowledged,
      kept,
      refused,
      times: times.sort((a, b) => a - b),
      seconds,
    }),
  };
}
