import type { Change, Undo, Workload } from './model.ts';

/*
 * How a person takes a change back. Gumshoe never does: commands and pages are to be copied. Whatever goes into a command
 * comes from telemetry, so what is no name makes no command.
 */

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/u;

/** Whether a text can go into a command or an address as it is: a name that Kubernetes allows. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** `kubectl -n shop describe deployment/payments`; `null` where the workload's names are none. */
export function kubectlFor(workload: Workload, command: (target: string) => string): string | null {
  const { namespace, name } = workload;
  const kind = workload.kind.toLowerCase();
  const names = namespace === '' ? [kind, name] : [namespace, kind, name];
  if (!names.every(isName)) return null;
  return `kubectl ${namespace === '' ? '' : `-n ${namespace} `}${command(`${kind}/${name}`)}`;
}

/** The kinds whose revisions `kubectl rollout` knows. */
const ROLLED_OUT = ['deployment', 'statefulset', 'daemonset'];

export function hasRollouts({ kind }: Workload): boolean {
  return ROLLED_OUT.includes(kind.toLowerCase());
}

/** Back to a revision that was seen. */
export function rolloutUndo(workload: Workload, revision: number): Undo | null {
  const content = hasRollouts(workload)
    ? kubectlFor(workload, (target) => `rollout undo ${target} --to-revision=${revision}`)
    : null;
  return content === null ? null : { by: 'rollout', type: 'command', content };
}

const PULL_REQUEST = /^\/[\w.-]+\/[\w.-]+\/pull\/\d+\/?$/u;
const MERGE_REQUEST = /^\/[\w./-]+\/-\/merge_requests\/\d+\/?$/u;
const GITLAB_COMMIT = /^\/[\w./-]+\/-\/commit\/[0-9a-f]{7,64}\/?$/u;
const COMMIT = /^\/[\w.-]+\/[\w.-]+\/commit\/[0-9a-f]{7,64}\/?$/u;

/** The page of a commit, a pull request or a merge request on which it is reverted; `null` if the address is none. */
export function revertOn(url: string | null): Undo | null {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/u.test(parsed.protocol) || parsed.username !== '') return null;
  const page = `${parsed.origin}${parsed.pathname}`;
  const how = PULL_REQUEST.test(parsed.pathname)
    ? 'press Revert at its end'
    : MERGE_REQUEST.test(parsed.pathname)
      ? 'press Revert'
      : GITLAB_COMMIT.test(parsed.pathname)
        ? 'choose Options → Revert'
        : COMMIT.test(parsed.pathname)
          ? 'open the pull request that it names, and press Revert'
          : null;
  return how === null
    ? null
    : { by: 'revert', type: 'info', content: `On ${page} ${how}, then deploy that.` };
}

/** The page of a feature flag; `null` if the address is none. */
export function setBackOn(url: string | null): Undo | null {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/u.test(parsed.protocol) || parsed.username !== '') return null;
  const page = `${parsed.origin}${parsed.pathname}`;
  return { by: 'revert', type: 'info', content: `On ${page} set the flag back to what it was.` };
}

/** Whether it is a setting or a flag, and no version. */
export function isSetting({ kind }: Pick<Change, 'kind'>): boolean {
  return kind === 'config' || kind === 'flag';
}

const SAME_CHANGE_MS = 10 * 60_000;
/** What syncs from git takes a rollout back again, and a revert has to be built first. */
const ORDER = ['sync', 'rollout', 'revert'];

/**
 * How a change is undone, and what ran before it, from whichever source knows best: the same rollout is often seen by
 * several.
 */
export function undoOf(
  change: Change,
  others: readonly Change[],
): { undo: Undo | null; before: string | null; note: string | null } {
  const same = [
    change,
    ...others.filter(
      (one) =>
        one !== change &&
        one.service === change.service &&
        isSetting(one) === isSetting(change) &&
        Math.abs(one.at - change.at) <= SAME_CHANGE_MS &&
        (change.version === null || one.version === null || one.version === change.version),
    ),
  ];
  const [undo = null] = same
    .flatMap((one) => one.undo ?? revertOn(one.url) ?? [])
    .toSorted((a, b) => ORDER.indexOf(a.by) - ORDER.indexOf(b.by));
  return { undo, before: same.find(({ before }) => before)?.before ?? null, note: undo?.note ?? null };
}
