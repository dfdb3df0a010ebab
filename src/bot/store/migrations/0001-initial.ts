import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Every table. Columns are in `tables.ts`, with what they mean. On PostgreSQL text is compared byte by byte, as in SQLite,
 * whatever the database's locale; times are in milliseconds, which may have fractions. Booleans are 0 and 1.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const types = isPostgres
    ? { text: 'text collate "C"', number: 'double precision' }
    : { text: 'text', number: 'bigint' };
  for (const statement of tables(types).split(/;\s*/u)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
  if (!isPostgres) return;
  // The order of deliveries of the same millisecond, which SQLite has in its `rowid`.
  await sql`alter table inbox add column arrival bigint generated always as identity`.execute(db);
  // Text that is not JSON must not end the query that looks into it.
  await sql`
    create or replace function gumshoe_json(value text) returns jsonb language plpgsql immutable parallel safe as $$
    begin return value::jsonb; exception when others then return null; end $$`.execute(db);
}

function tables({ text, number }: { text: string; number: string }): string {
  return `
  create table inbox (
    key ${text} primary key,
    body ${text} not null,
    received_at ${number} not null,
    attempts integer not null default 0,
    next_at ${number} not null default 0,
    state ${text} not null default 'open',
    error ${text},
    owner ${text} not null default ''
  );
  create index inbox_received on inbox (received_at);
  create index inbox_next on inbox (state, owner, received_at);

  create table webhooks (
    id ${text} primary key,
    source ${text} not null,
    digest ${text} not null,
    body ${text} not null,
    headers ${text} not null,
    received_at ${number} not null,
    attempts integer not null default 0,
    next_at ${number} not null default 0,
    state ${text} not null default 'open',
    error ${text}
  );
  create index webhooks_state on webhooks (state, next_at);
  create index webhooks_digest on webhooks (source, digest, received_at);
  create index webhooks_received on webhooks (received_at);

  create table received_alerts (
    id ${text} primary key,
    source ${text} not null,
    tool ${text} not null,
    identity ${text},
    reading ${text} not null,
    state ${text} not null,
    channel ${text},
    ts ${text},
    over_at ${number},
    received_at ${number} not null,
    next_at ${number} not null default 0,
    attempts integer not null default 0
  );
  create index received_alerts_state on received_alerts (state, next_at);
  create index received_alerts_identity on received_alerts (identity, received_at);
  create index received_alerts_message on received_alerts (channel, ts);
  create index received_alerts_received on received_alerts (received_at);
  create index received_alerts_source on received_alerts (source, over_at, received_at);

  create table issues (
    id ${text} primary key,
    identity ${text},
    is_open integer not null,
    state ${text} not null,
    request ${text} not null,
    attempted_at ${number},
    attempts integer not null default 0,
    next_at ${number} not null default 0,
    failure ${text},
    uuid ${text} unique,
    number ${number},
    status ${text} not null,
    status_since ${number} not null,
    version ${number} not null default 1,
    title ${text} not null,
    severity ${text} not null,
    environment ${text} not null,
    service ${text},
    source ${text},
    alert_url ${text},
    channel ${text} not null,
    thread_ts ${text},
    requested_by ${text},
    repeats integer not null default 0,
    last_repeat_at ${number},
    recovered_at ${number},
    investigating_since ${number} not null,
    checked_at ${number} not null default 0,
    ended_version ${number} not null default 0,
    watched integer not null default 1,
    last_action ${text},
    created_at ${number} not null,
    raised_severity ${text},
    status_before ${text},
    wanted_status ${text},
    earlier ${text},
    note ${text},
    joined_into ${text},
    apart_from ${text},
    muted_until ${number},
    hidden integer not null default 0,
    waits_in ${text},
    organization ${text} not null default 'default',
    our_status ${text}
  );
  -- One open issue per identity, whatever arrives at the same moment.
  create unique index issues_open_identity on issues (identity) where is_open = 1;
  create index issues_state on issues (state, next_at);
  create index issues_number on issues (number);
  create index issues_joined on issues (joined_into);
  create index issues_apart on issues (apart_from);
  create index issues_created on issues (created_at);
  create index issues_wanted on issues (next_at) where wanted_status is not null;
  create index issues_muted on issues (muted_until) where muted_until is not null;
  create index issues_watched on issues (watched, state, checked_at);
  create index issues_closed on issues (is_open, status_since);
  create index issues_waits_in on issues (waits_in, state);
  create index issues_organization_number on issues (organization, number);
  create index issues_requested_by on issues (requested_by, created_at);
  create index issues_identity_open on issues (identity, is_open, status_since);
  create index issues_channel_created on issues (channel, created_at);
  -- With the order that is asked for: SQLite would take the one above, and read all of the channel.
  create index issues_thread_created on issues (channel, thread_ts, created_at);
  create index issues_channel_status on issues (channel, status, status_since);

  create table alerts (
    id ${text} primary key,
    channel ${text} not null,
    ts ${text} not null,
    decision ${text} not null,
    reason ${text} not null,
    kind ${text} not null,
    format ${text} not null,
    fingerprint ${text},
    issue_id ${text} references issues (id),
    alert ${text} not null,
    decided_at ${number} not null,
    identity ${text},
    detail ${text},
    thread_ts ${text},
    sender ${text},
    hold_id ${text},
    outcome ${text}
  );
  create index alerts_hold on alerts (hold_id, outcome);
  create index alerts_issue on alerts (issue_id, channel, ts, decision);
  create index alerts_decided on alerts (channel, decided_at);
  create index alerts_held on alerts (issue_id, hold_id) where hold_id is not null;
  create index alerts_loose on alerts (decided_at) where issue_id is null;
  create index alerts_identity_kind on alerts (identity, channel, kind, ts);
  -- Of few alerts, so that every other alert is in one index by identity only.
  create index alerts_unfiled on alerts (identity, decision, decided_at) where decision = 'ignored' or decision = 'held';

  create table holds (
    id ${text} primary key,
    channel ${text} not null,
    reason ${text} not null,
    state ${text} not null,
    created_at ${number} not null,
    last_at ${number} not null,
    dismissed_by ${text}
  );
  create index holds_state on holds (state, channel);

  create table identity_overrides (
    identity ${text} not null,
    detail ${text} not null,
    becomes ${text} not null,
    primary key (identity, detail)
  );
  create index identity_overrides_becomes on identity_overrides (becomes);

  create table results (
    issue_id ${text} not null references issues (id),
    version ${number} not null,
    body ${text} not null,
    fetched_at ${number} not null,
    primary key (issue_id, version)
  );

  create table progress (
    issue_id ${text} primary key,
    found ${text} not null
  );

  create table conversations (
    id ${text} primary key,
    channel ${text} not null,
    thread_ts ${text},
    conversation_id ${text},
    issue_id ${text} references issues (id),
    started_by ${text} not null,
    created_at ${number} not null,
    updated_at ${number} not null,
    listening integer not null default 1,
    organization ${text},
    unique (channel, thread_ts)
  );
  create index conversations_updated on conversations (updated_at);
  create index conversations_issue on conversations (issue_id, updated_at);

  create table questions (
    id ${text} primary key,
    conversation ${text} not null references conversations (id),
    asker ${text} not null,
    text ${text} not null,
    state ${text} not null,
    answer ${text} not null default '',
    artifacts ${text} not null default '[]',
    note ${text},
    created_at ${number} not null,
    updated_at ${number} not null,
    written_at ${number} not null default 0,
    asked_at ${number},
    files ${text} not null default '[]',
    stopped_by ${text},
    offer ${text},
    asked_ts ${text},
    looking_at ${text}
  );
  create index questions_state on questions (state, conversation, created_at);
  create index questions_asker on questions (asker, created_at);
  create index questions_offer on questions (offer);
  create index questions_conversation on questions (conversation, created_at);

  create table outbox (
    key ${text} primary key,
    kind ${text} not null,
    issue_id ${text} references issues (id),
    question_id ${text} references questions (id),
    channel ${text} not null,
    thread_ts ${text},
    payload ${text} not null,
    priority integer not null,
    wanted integer not null default 1,
    done integer not null default 0,
    state ${text} not null,
    next_at ${number} not null,
    attempts integer not null default 0,
    sent ${text} not null default '[]',
    sending integer,
    error ${text},
    created_at ${number} not null,
    delivered_at ${number} not null default 0
  );
  create index outbox_due on outbox (state, next_at, priority);
  create index outbox_issue on outbox (issue_id, kind);
  create index outbox_question on outbox (question_id);
  create index outbox_loose on outbox (created_at) where issue_id is null and question_id is null;

  create table files (
    key ${text} primary key,
    issue_id ${text} references issues (id),
    state ${text} not null,
    what ${text},
    shown_by ${text},
    file_id ${text},
    alt ${text},
    attempts integer not null default 0,
    next_at ${number} not null,
    created_at ${number} not null
  );
  create index files_state on files (state, next_at);
  create index files_issue on files (issue_id, created_at);

  create table artifacts (
    owner ${text} not null,
    id ${text} not null,
    state ${text} not null,
    body ${text},
    attempts integer not null default 0,
    next_at ${number} not null,
    fetched_at ${number},
    primary key (owner, id)
  );
  create index artifacts_state on artifacts (state, next_at);

  create table channels (
    channel ${text} primary key,
    watched integer not null default 0,
    settings ${text} not null default '{}',
    -- Nothing of a channel is shown elsewhere until Slack has said that it is public.
    is_private integer not null default 1,
    seen_ts ${text},
    gap_from ${text}
  );

  create table flags (
    name ${text} primary key,
    value ${text} not null
  );

  create table blockers (
    name ${text} primary key,
    reason ${text} not null,
    since ${number} not null,
    detail ${text} not null
  );

  create table checklist_steps (
    issue_id ${text} not null references issues (id),
    step ${text} not null,
    who ${text} not null,
    at ${number} not null,
    primary key (issue_id, step)
  );

  create table notes (
    issue_id ${text} not null references issues (id),
    number integer not null,
    who ${text} not null,
    text ${text} not null,
    at ${number} not null,
    edited_at ${number},
    cause ${text} not null unique,
    primary key (issue_id, number)
  );

  create table tickets (
    issue_id ${text} primary key references issues (id),
    state ${text} not null,
    wanted_by ${text} not null,
    key ${text},
    url ${text},
    status ${text},
    said ${text} not null,
    attempts integer not null,
    next_at ${number} not null,
    failure ${text}
  );
  create index tickets_next on tickets (next_at);

  create table votes (
    subject ${text} not null,
    who ${text} not null,
    value integer not null,
    channel ${text} not null,
    at ${number} not null,
    primary key (subject, who)
  );
  create index votes_channel on votes (channel, at);

  create table digests (
    channel ${text} primary key,
    days ${text} not null,
    time ${text} not null,
    zone ${text} not null,
    next_at ${number} not null,
    last_at ${number}
  );
  create index digests_next on digests (next_at);

  create table silences (
    key ${text} primary key,
    issue_id ${text} not null,
    silence_id ${text},
    until ${number} not null
  );

  create table sessions (
    channel ${text} not null,
    thread_ts ${text} not null,
    status ${text} not null,
    pending integer not null default 0,
    notified_at ${number} not null,
    named integer not null default 0,
    stopped_at ${number},
    primary key (channel, thread_ts)
  );
  create index sessions_status on sessions (status, notified_at);

  create table acts (
    subject ${text} primary key,
    ts ${text},
    received_at ${number} not null,
    who ${text} not null,
    what ${text} not null
  );
  create index acts_received_at on acts (received_at);

  create table changes (
    cause ${text} primary key,
    version integer not null,
    recorded integer not null default 0,
    at ${number} not null
  );
  create index changes_at on changes (at);

  create table tombstones (
    uuid ${text} primary key,
    number ${number} not null,
    organization ${text} not null,
    channel ${text} not null,
    checked_at ${number} not null
  );
  create index tombstones_checked on tombstones (checked_at);

  create table audit (
    id ${text} primary key,
    at ${number} not null,
    who ${text} not null,
    what ${text} not null,
    issue_id ${text},
    channel ${text}
  );
  create index audit_issue on audit (issue_id, at);
  create index audit_channel on audit (channel, at);

  create table replicas (
    id ${text} primary key,
    seen_at ${number} not null,
    leads integer not null,
    status ${text}
  );

  create table leases (
    key ${text} primary key,
    owner ${text} not null,
    until ${number} not null
  );

  create table allowances (
    key ${text} primary key,
    minute ${number} not null,
    count ${number} not null
  );`;
}
