import { cardIntent } from '../../src/bot/store/intents/issue-intents.ts';
import type { OutboxKey } from '../../src/bot/store/intents/keys.ts';
import type { Issue, NewIssue } from '../../src/bot/store/issues.ts';
import type { Store } from '../../src/bot/store/open.ts';

/** An issue that waits to be created. */
export function newIssue(overrides: Partial<NewIssue> = {}): NewIssue {
  return {
    id: 'issue-1',
    identity: 'cpu@production',
    isOpen: true,
    state: 'pending',
    request: JSON.stringify({
      title: 'CPU is high',
      description: 'CPU is high\n\n---\nReference: gumshoe-issue-1',
      environment: 'production',
    }),
    status: 'investigating',
    statusSince: 0,
    title: 'CPU is high',
    severity: 'medium',
    environment: 'production',
    service: null,
    source: null,
    alertUrl: null,
    channel: 'C1',
    threadTs: '1.0',
    requestedBy: null,
    investigatingSince: 0,
    createdAt: 0,
    ...overrides,
  };
}

/** Adds an issue that the service knows, with its card delivered. */
export async function addCreated(
  store: Store,
  at: number,
  overrides: Partial<NewIssue> & { number?: number; uuid?: string } = {},
): Promise<Issue & { uuid: string }> {
  const { number = 1, uuid = uuidOf(number), ...rest } = overrides;
  const issue = newIssue({ statusSince: at, investigatingSince: at, createdAt: at, ...rest });
  await store.issues.add(issue);
  await store.issues.rewrite(issue.id, { state: 'created', uuid, number });
  await store.outbox.want(cardIntent({ ...issue, requestedBy: null }, at));
  await store.outbox.delivered(`card:${issue.id}`, 1);
  return { ...(await theIssue(store, issue.id)), uuid };
}

/** The uuid of the nth issue at the service. */
export function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** An issue that must be there. */
export async function theIssue(store: Store, id = 'issue-1'): Promise<Issue> {
  const issue = await store.issues.get(id);
  if (issue === null) throw new Error(`there is no issue ${id}`);
  return issue;
}

/** Whether there is something new to say under a key: `due`, `idle` or `dead`; `null` where nothing was wanted. */
export async function intent(store: Store, key: OutboxKey): Promise<string | null> {
  return (await store.outbox.get(key))?.state ?? null;
}
