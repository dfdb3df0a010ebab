import type { KindName } from './kind.ts';

/** What to do about a kind of fault. `words/remediation.ts` fills in its blanks. */
interface RemedyRow {
  title: string;
  description: string;
  category: 'immediate' | 'follow_up';
  steps: readonly StepRow[];
}

/** One step: something to look at (`check`), to know (`info`) or to run, and what is said where that cannot be named. */
export interface StepRow {
  title: string;
  help: string;
  required: boolean;
  /** It compares instances: nothing for a service that has one. */
  isOfSeveral: boolean;
  action: 'check' | 'info' | 'command' | 'kubectl' | 'kubectl on the pod' | 'shell' | 'undo' | 'logs';
  content: string;
  otherwise: string;
}

const ACTION = /^(check|info|command|kubectl(?: on the pod)?|shell|undo|logs): (.*?)(?: :or: (.*))?$/u;
/** Actions that several kinds have. */
const SHARED: Readonly<Record<string, string>> = {
  restart:
    'kubectl: rollout restart {target} :or: {restart|Restart the instances of {service}, one after the other.}',
  'scale out':
    'kubectl: scale {target} --replicas=<twice as many> :or: {scale|Run twice as many instances of {service}.}',
};

/*
 * A line is a remedy, to do `first` or `later`: its title :: its description; or one of its steps, `?` if it is optional:
 * its title :: what to do :: help; `+` if it compares instances, of which some services have one. `{service}` and the like are blanks; `{line|otherwise}` has what is said where there is
 * none. `logs` needs lines that were read. `kubectl` and `shell` become commands only with names that were seen, and are checks `:or:` otherwise; `undo` becomes
 * the steps that take the change back.
 */

/** A change that only came before: find out whether it is the cause, before it is taken back. */
export const UNPROVEN_CHANGE: readonly RemedyRow[] = rowsIn(`
first :: Look at {what} of {service} :: It came shortly before, and nothing proves that it is the cause.
- Read what it changed :: info: {url|Diff {what} of {service} against {previous}.} :: Look for what touches the requests that fail or have become slow.
+ Compare one instance without it :: check: Verify: one instance of {service} on {previous} is healthy while the others are not. :: If it is, that is the proof, and the others can be rolled back. If it is not, look elsewhere.
? Take it back, and see :: undo: {back} :: It is the quickest test: if the symptoms end with it, it was the cause.{note}
`);

/** A line says that messages come back: one of them may block the others. */
export const REDELIVERED: readonly RemedyRow[] = rowsIn(`
first :: Unblock {service} :: A message that always fails can block the others: move it out of the way, then let it catch up.
- Find messages that keep being redelivered :: check: {line|Messages that {service} has received more than three times.} :: One poison message can tie up every handler.
- Move them to the dead-letter queue :: info: Keep them: you need them to find the bug. :: Do not purge the queue: the messages are work that is not done yet.
? Scale out until it has caught up :: scale out :: Keep an eye on the database meanwhile.
later :: Limit what one message can cost {service} :: A redelivery limit and a shorter timeout keep one message from blocking the rest.
- Set a redelivery limit :: info: After five failures, a message goes to the dead-letter queue. :: Alert on the depth of that queue.
`);

/** A database has no connections left: the services hold them, and a restart would end the work of all. */
export const HELD_BY_SERVICES: readonly RemedyRow[] = rowsIn(`
first :: Free up connections of {service} :: The services that use it hold them: find out which one holds the most.
- See who holds them :: check: The connections of {service} by client, by state and by how long: pg_stat_activity, SHOW PROCESSLIST or CLIENT LIST. :: Many that are idle belong to a pool that is too large, or to a service that does not give them back.
- Restart the service that holds the most :: check: Done when: connections of {service} are back to normal. :: That ends its connections, and nobody else’s.
later :: Keep the pools of all services below the limit of {service} :: Each instance of each service may open as many as its pool allows.
- Look for connections that are not released when a request fails :: check: Verify: everything in the service that holds the most releases what it acquires in a finally block. :: Also look for calls to other services inside a transaction.
? Alert before the last one is taken :: info: Alert at 80% of the limit for five minutes. :: Keep some for administrators, to be able to look.
`);

/** Memory that was level until a change came. */
export const LEAKS_SINCE: readonly RemedyRow[] = rowsIn(`
first :: Roll back {service}{toBefore} :: Memory was level before {what}, and restarting alone fills it again.{note}
- Check that no migration blocks the rollback :: check: Verify: {what} of {service} made no schema or data change that the previous version cannot read. :: If it did, restart the instances meanwhile, and fix forward.
- Roll back :: undo: {back} :: Each new instance starts with empty memory.
- Watch the slope :: check: Done when: {service} memory stays level for half an hour. :: If it climbs again, {what} was not the cause.
`);

const TABLE: Readonly<Record<KindName, string>> = {
  'bad deploy': `
first :: Roll back {service}{toBefore} :: Go back to {before|the version before {version}}: the symptoms began after {version} was rolled out.{note}
- Check that no migration blocks the rollback :: check: Verify: {version} of {service} made no schema or data change that the previous version cannot read. :: If it did, fix forward instead.
- Roll back :: undo: {back} :: Errors should drop within a minute of the last pod being replaced.
- Confirm that errors are back to normal :: check: Done when: the {service} error rate stays below 1% for ten minutes. :: Its callers should recover with it.
later :: Fix what {version} broke :: {newError|Diff {version} against the previous version.}
- Reproduce the error in a test :: info: {line|Replay failed {service} requests against {version}.} :: The logs and traces of a failing request show what to replay.
? Catch the next one with a canary :: info: Send 5% of traffic to each new version of {service} for ten minutes, and abort on errors. :: A canary limits what a bad version can reach.
`,
  'configuration change': `
first :: Revert the configuration change on {service} :: Undo "{change}".{note}
? Ask who changed it, and why :: info: {change} :: It may have fixed another problem, which comes back with the revert.
- Roll back :: undo: {back} :or: Restore the previous value :: Restart {service} if it does not watch its configuration.
- Confirm that errors are back to normal :: check: Done when: the {service} error rate stays below 1% for ten minutes. :: Its callers should recover with it.
later :: Validate configuration before it goes live :: A check when {service} starts rejects values that cannot work.
- Add a range check for this setting :: info: Reject values outside the range covered by the {service} load tests. :: Roll configuration out gradually, the way you deploy.
`,
  outage: `
first :: Get {service} running again :: Find out why it is down before you restart it.
- See what state it is in :: kubectl: describe {target} :or: Whether {service} was scaled down, cannot be scheduled, crashes at start or cannot be reached. :: Look at the last exit code, the events and the last log lines.
- Restart it :: restart :: If it crashes at start again, go back to the previous version.
- Confirm that it answers :: check: Done when: all instances of {service} are ready, and its callers are back to normal. :: Callers that back off may take a minute.
later :: Run more than one {service} :: Replicas on several machines, with a disruption budget, survive the loss of one.
- Check replicas, probes and the disruption budget :: check: Verify: {service} has two replicas or more, and a readiness probe. :: Alert on too few ready instances.
`,
  'bad instance': `
first :: Take {instance} out of rotation :: The other instances are healthy: replace this one.
? Look at it before it is gone :: check: Logs, the machine it runs on, and the version and configuration of {instance}, compared with another instance. :: A bad machine makes the next instance on it bad as well: cordon it.
- Replace it :: kubectl on the pod: delete {target} :or: Restart or replace {instance}. :: Its traffic goes to the others at once.
- Confirm that errors and latency are back to normal :: check: Done when: no instance of {service} differs from the others for ten minutes. :: If the new instance is bad as well, look at the machine.
later :: Let {service} eject a bad instance by itself :: A readiness probe that tests what requests need, or outlier detection in front, does so.
- Tighten the readiness probe :: info: The readiness probe of {service} should fail when its requests do. :: Beware of probes that take all instances out at once.
`,
  'broken edge': `
first :: Restore the connection from {caller} to {callee} :: {callee} answers as usual: the problem is between the two.
- Check what lies between them :: check: Network policies, DNS, the mesh, load balancer and connection limits between {caller} and {callee}, and what of these changed around {onset}. :: Compare with another caller that works.
- Try a call from {caller} :: check: The time to resolve, to connect and to get the first byte from {callee}, measured on an instance of {caller}. :: The slowest of the three says where to look.
later :: Alert on calls from {caller} to {callee} :: The metrics of {callee} stayed normal, so only its callers noticed.
- Alert on latency and errors as the caller sees them :: info: Client metrics of {caller} by what is called. :: Timeouts and retries with a limit keep it from spreading.
`,
  'cache outage': `
first :: Bring {service} back :: Until it is warm again, its callers fail, or the store behind it carries the whole load.
- See whether it is down, full or cold :: check: Instances, memory, evictions and hit ratio of {service} since {onset}. :: A cache that evicts needs memory; one that was restarted needs time.
- Restart it if it is down :: restart :: An empty cache sends every request to the database: limit traffic while it warms up.
- Confirm that the hit ratio is back :: check: Done when: {service} has its usual hit ratio, and the latency of its callers is back to normal. :: This can take as long as its entries live.
later :: Survive the loss of {service} :: The store behind the cache should shed load instead of failing.
- Coalesce identical requests, and serve stale entries :: info: One request fills an entry while others wait for it or take the old one. :: A replica makes the loss of one instance harmless.
`,
  'cache misses': `
first :: Find out why {service} misses :: It responds, but its misses go to the store behind it.
- See whether it evicts, or was emptied :: check: Evictions, memory against its limit, the number of keys and restarts of {service} since {onset}. :: Evictions mean too little memory. Fewer keys without evictions mean that it was flushed or restarted, or that entries expire sooner.
- Confirm that the hit ratio is back :: check: Done when: {service} has its usual hit ratio, and the latency of its callers is back to normal. :: It takes as long as refilling the cache.
later :: Notice it before users do :: Alert on the hit ratio and on evictions of {service}.
- Coalesce identical requests, and serve stale entries :: info: One request fills an entry while others wait for it or take the old one. :: The store behind the cache should shed load instead of failing.
`,
  'external dependency': `
first :: Do without {service} for now :: It is outside this system: protect its callers, and tell its operator.
- Check the status page of {service} :: check: Verify: the operator of {service} knows about the problem. :: If not, open a ticket with the times and the share of failed calls.
- Open the circuit breaker, or turn the feature off :: info: Stop waiting for {service}: fail fast, or answer without it. :: Callers that wait use up their own threads and connections.
- Confirm that callers are back to normal :: check: Done when: the error rate and latency of what calls {service} are back to normal. :: Then decide when to turn it on again.
later :: Make an outage of {service} harmless :: A short timeout, a circuit breaker and a fallback keep it from spreading.
- Add a timeout and a fallback :: info: Calls to {service} time out well before the requests that need them do. :: Try it by blocking the address in staging.
`,
  'outbound failure': `
first :: Look at the way out :: Hosts of several operators began to fail at once: look on this side first.
- Resolve {callee} from where it is called :: shell: dig {callee} :or: Whether {callee} resolves from where it is called, each time. :: Try it several times: a resolver that loses some of its queries fails only some calls.
- Look at what all outbound calls pass :: check: The resolvers, the NAT or egress gateway, proxies and network policies, since {onset}. :: Ask whoever runs the network what changed.
- Confirm that callers are back to normal :: check: Done when: calls to {callee} and to the others fail as seldom as before. :: Cached names may take their time to live.
later :: Notice it before its callers do :: Probe your resolvers and the way out from inside.
`,
  'certificate expiry': `
first :: Renew the {service} certificate :: Issue a new certificate and get it loaded.
- Check the certificate being served :: shell: openssl s_client -connect {service}:443 -servername {service} </dev/null | openssl x509 -noout -enddate :or: Until when the certificate of {service} is valid. :: If a renewed one is already on disk, it just was not loaded: skip to the restart.
- Renew it :: check: Done when: a new certificate for {service} is issued: by cert-manager, ACME or by hand. :: With cert-manager: \`cmctl renew <name of the certificate>\`.
? Restart {service} to load it :: restart :: Not needed if certificates are hot-reloaded.
- Confirm that clients can connect :: check: Done when: no more handshake errors in the {service} logs, and traffic is back to normal. :: Clients that back off after failures may take a minute.
later :: Automate certificate renewal :: Nobody should have to remember the next one.
- Find out why it was not renewed :: check: The {service} certificate events of the last 30 days. :: A failed ACME challenge is the usual reason.
? Alert two weeks before expiry :: info: Alert on the remaining lifetime of every certificate. :: The blackbox exporter and cert-manager measure it.
`,
  'TLS failure': `
first :: Find out why TLS connections to {service} fail :: Nothing that was read says that a certificate has expired.
- Look at the handshake :: shell: openssl s_client -connect {service}:443 -servername {service} </dev/null :or: What a client is told when it connects to {service}. :: An unknown authority, a wrong name, and no common protocol each read differently.
- Confirm that clients can connect :: check: Done when: no more handshake errors in the {service} logs, and traffic is back to normal. :: Clients that back off after failures may take a minute.
`,
  'slow query': `
first :: {slow|Find out what slows the queries on {service} down} :: {slowHelp|That they are slow is all that is measured: one query, a lock, or more of them than it can take.}
- Find the query with pg_stat_activity, SHOW FULL PROCESSLIST or db.currentOp() :: check: What runs on {service}, the longest first. :: Look for: {line|the slowest query}
? Cancel it :: info: pg_cancel_backend(<pid>), KILL QUERY <id> or db.killOp(<id>). :: The caller gets an error and may retry: turn the feature off if you can.
- Confirm that latency drops :: check: Done when: {service} p95 latency is back to normal within two minutes. :: If not, another query may be slow too.
later :: Add an index for the query :: A query that scans a large table is the usual reason.
- Check the query plan :: command: EXPLAIN <the query>; :: {line|the slowest query}
- Create the index without locking the table :: info: CREATE INDEX CONCURRENTLY … on the columns of the WHERE clause. :: Then check that the plan uses it.
`,
  'CPU starvation': `
first :: Give {service} more CPU :: More instances share the load at once; a higher limit lasts.
- Scale out :: scale out :: Latency should drop as soon as the new instances take traffic.
? Raise the CPU limit :: kubectl: set resources {target} --limits=cpu=<twice as much> :or: Raise the CPU limit of {service}. :: This restarts the instances.
- Confirm that it is no longer held back :: check: Done when: {service} uses less than 80% of its CPU limit, and its latency is back to normal. :: If usage climbs to the new limit as well, something is spinning: take a profile.
later :: Find out what {service} spends its CPU on :: Compare a profile under load with one from before the onset.
- Take a CPU profile :: info: A profile of one {service} instance, 30 seconds under load. :: Look at what grew since {onset}.
`,
  'memory leak': `
first :: Restart {service} before it is OOM-killed :: {alone|A rolling restart drops no requests; an OOM kill does.}
? Take a heap snapshot of one instance :: check: A heap snapshot of one {service} instance, with the tools of its runtime. :: The restart destroys the evidence otherwise.
- Restart it :: restart :: Memory should return to normal.
- Watch the slope :: check: {service} memory over the next 15 minutes: if it climbs as before, it will be killed again. :: Raise the limit, or restart on a schedule, until the leak is fixed.
later :: Find the leak in {service} :: Compare two heap snapshots a few minutes apart: what grows is what leaks.
- Compare heap snapshots :: info: Two {service} snapshots, five minutes apart under load, sorted by growth. :: Look at unbounded caches and listeners that are never removed first.
? Review recent releases :: check: Recent {service} releases that touch caches, pools or subscriptions. :: A slow leak can ship days before it hurts.
`,
  'out of memory': `
first :: Find out what {service} needed the memory for :: It was killed at its limit, and no growth was measured before that.
- See what it did then :: logs: {service} logs around {onset}. :or: What {service} wrote before it was killed. :: One large request or batch, or a limit that was lowered?
? Give it more memory :: check: The memory limit of {service}, and what it usually uses. :: If it is killed again at the new limit, it leaks.
- Watch whether it is killed again :: check: OOM kills and restarts of {service} over the next 15 minutes. :: Memory that climbs between two kills is a leak.
`,
  'disk full': `
first :: Free up disk space on {service} :: Delete what can be regenerated, then grow the volume.
- See what is using the space :: kubectl: exec {target} -- df -h :or: The largest directories of the volume of {service}, and what grew since {onset}. :: Start with old segments, dumps and logs. Never delete write-ahead logs by hand.
- Grow the volume :: check: Done when: the volume of {service} is twice as large. :: Most storage classes can grow a mounted volume.
- Confirm that writes succeed :: check: Done when: no new "no space left" lines in the {service} logs, and its error rate is back to normal. :: A database may need a restart after running out of space.
later :: Keep {service} from filling up again :: Find out what fills it, and alert earlier.
- Fix the cleanup :: check: Verify: retention jobs, log rotation and replication slots still free what is not needed. :: The disk started to fill at {onset}.
? Alert on time to full, not on percent used :: info: Predict over the last hour, and alert when the disk will be full within four. :: The faster a disk fills up, the less time a fixed threshold leaves.
`,
  'connection-pool exhaustion': `
first :: Free up connections in {service} :: A restart of {service} releases the connections it holds. It buys time.
- See what is holding connections (PostgreSQL) :: command: SELECT pid, state, now() - state_change AS since, left(query, 80) FROM pg_stat_activity WHERE state <> 'idle' ORDER BY since DESC; :: Sessions *idle in transaction* for more than a few seconds are the likely leak.
- Restart {service} :: restart :: Connections in use should drop to normal within two minutes.
- Watch connections and latency for ten minutes :: check: Done when: {service} stays below 80% of its connection limit, and p95 latency is back to normal. :: If they climb again, connections are leaking: go on to the next action.
later :: Find out why connections of {service} are held so long :: Often one is not released on an error path, or a transaction is held open around a slow call.
- Look for connections that are not released when a request fails :: check: Verify: everything in {service} that acquires a connection releases it in a finally block. :: Also look for calls to other services inside a transaction.
? Alert before the pool runs out :: info: Alert at 80% of the limit for five minutes. :: A short acquire timeout makes requests fail fast instead of piling up.
`,
  'queue backlog': `
first :: Find out what holds {service} up :: More arrives than it processes, and nothing that was read says why.
- See what {service} logs while it falls behind :: logs: {service} logs from {onset}. :or: What {service} writes where it runs, from {onset}: no log lines were read. :: A message that fails each time, a slow call, or no consumer at all.
- Confirm that it catches up :: check: Done when: what waits for {service} shrinks again. :: It takes as long as it takes to work off what has piled up.
? Scale out until it has caught up :: scale out :: Only if it works and is too slow: keep an eye on what it writes to.
`,
  'traffic surge': `
first :: Scale {service} for the traffic :: More requests come in than usual.
- Find out where the traffic comes from :: check: Requests to {service} by caller, route and client address since {onset}. :: A campaign, a batch job, a retry loop or a crawler each need a different response.
- Scale out :: scale out :: Check that what it depends on can take the load as well.
? Shed what is not needed :: info: Rate-limit the largest client, or turn off what can wait. :: Only if scaling out is not enough.
later :: Let {service} scale by itself :: An autoscaler on requests or CPU follows the traffic.
- Set up autoscaling, and a rate limit in front :: info: Scale {service} out at 60% of the load it was tested with. :: Load-test to know that number.
`,
  unexplained: `
first :: Take a closer look at {service} :: The problem starts there, and telemetry does not show why.
- Read what {service} logged since the onset :: logs: {service} logs from {onset}. :or: What {service} writes where it runs, from {onset}: no log lines were read. :: Compare with an hour earlier.
+ Restart one instance and compare it with the others :: check: One instance of {service} that was restarted, next to those that were not. :: If the new one is healthy, the problem may be in-memory state.
`,
};

export const REMEDIES: ReadonlyMap<string, readonly RemedyRow[]> = new Map(
  Object.entries(TABLE).map(([kind, table]) => [kind, rowsIn(table)]),
);

function rowsIn(table: string): RemedyRow[] {
  const rows: (RemedyRow & { steps: StepRow[] })[] = [];
  for (const line of table.trim().split('\n')) {
    const [, mark = '', rest = ''] = /^(first|later|[-?+]) (?::: )?(.*)$/u.exec(line) ?? [];
    const [title = '', second = '', help = ''] = rest.split(' :: ');
    if (mark === 'first' || mark === 'later')
      rows.push({
        title,
        description: second,
        category: mark === 'first' ? 'immediate' : 'follow_up',
        steps: [],
      });
    else
      rows.at(-1)?.steps.push({
        title,
        help,
        required: mark === '-',
        isOfSeveral: mark === '+',
        ...actionIn(second),
      });
  }
  return rows;
}

function actionIn(text: string): Pick<StepRow, 'action' | 'content' | 'otherwise'> {
  const [, action, content = '', otherwise = ''] = ACTION.exec(SHARED[text] ?? text) ?? [];
  if (!isAction(action)) throw new Error(`no action of a remedy: ${text}`);
  return { action, content, otherwise };
}

function isAction(word: string | undefined): word is StepRow['action'] {
  return word !== undefined && ACTION.test(`${word}: x`);
}
