/** The fields in which tools state a state, as `normalizedName` writes them. */
export const STATE_NAMES =
  /^(?:(?!(?:old|previous|prior|former|last|from|initial|desired|expected)\b)(?:[a-z]+ ){0,2}(?:state|status|health|result|outcome|condition|verdict|phase|transition)|state change|(?:event|alert|alarm|notification|action|message|incident) (?:type|action)|event|action|type|zustand|statut|état|etat|estado|stato|状態|状态|ステータス)$/u;
/** Fields that may hold other things than a state. */
export const LOOSE_NAMES = /\btype$|^(?:event|action|phase)\b/u;

export const OVER_VALUE =
  /^(?:ok|okay|up|passing|resolved|recovered|recovery|recover|closed?|normal|healthy|cleared|clear|inactive|fixed|back\b.{0,20}|good|green|ended|online|restored|solved|operational|stable|available|optimal|reachable|within\b.{0,20}|in range|in sync|fresh|responding|nominal|deactivated|mitigated|remediated|alert resolved|behoben|normalisiert|résolu|rétabli|resuelto|recuperado|resolvido|risolto|正常|復旧|恢复|回復|解消)(?![\w-])/u;
export const ON_VALUE =
  /^(?:in alarm|alarm|firing|alerting|fired|triggered|re-?triggered|critical|crit|warning|warn|down|problem|activated|active|ongoing|escalating|regressed|error|failed|failing|failure|fail|unreachable|unknown|degraded|unhealthy|major|minor|partial outage|major outage|outage|no data|breach\w*|offline|overdue|late|missed|missing|stale|exceeded|bad|red|yellow|amber|crashed|stalled|stuck|timed? ?out|timeout|unavailable|not (?:ok|healthy|responding|ready|running)|alert|raised|violated|exhausted|abnormal|anomalous|anomaly|lost|disconnected|unresponsive|crashloopbackoff|oomkilled|out of .{2,20}|above\b.{0,20}|below\b.{0,20}|gestört|ausgefallen|kritisch|fehler|en panne|critique|erreur|caído|crítico|error|異常|障害|停止|告警|故障)(?![\w-])/u;
/** Firing, if nothing else in the message says otherwise. */
export const SOFT_ON_VALUE =
  /^(?:new|open|opened|created|started|re-?opened|detected|confirmed|unresolved|pending review|needs review|attention|yes|true|unassigned|investigating)(?![\w-])/u;
export const NOTED_VALUE =
  /^(?:ack|acknowledged|acked|snoozed|silenced|muted|in progress|merged|downtime|suppressed|in maintenance|maintenance)(?![\w-])/u;
export const NONE_VALUE =
  /^(?:insufficient[ _]data|queued|success|successful|succeeded|passed|pass|completed?|done|running|synced|to ?do|backlog|draft|merged|won|lost deal|approved|in review|scheduled|planned|cancell?ed|deployed|paid|shipped|published)(?![\w-])/u;

/** Fields that hardly anything but an alert has. */
export const ALERT_FIELDS =
  /^(?:threshold|limit|current(?: value)?|value|observed(?: value)?|actual(?: value)?|measured|last value|runbook|playbook|severity|priority|urgency|criticality|risk|monitor|check|check name|alert rule|rule|alarm|alarm name|alert|alert name|trigger|triggered at|triggered|fired at|metric|condition|host|hostname|node|instance|machine|device|sensor|first seen|last seen|down since|since|started at|detected at|duration|affected.{0,20}|impacted.{0,20}|probe|error|error message|root cause|on call|escalation.{0,20}|slo|burn rate|last success\w*|last check-?in|lag)$/u;
/** Buttons of alerts. */
export const ALERT_BUTTONS =
  /\b(?:acknowledge|ack|silence|snooze|mute|runbook|playbook|escalate|resolve|investigate|view (?:alert|incident|monitor|alarm|problem)|open (?:alert|incident|alarm|problem|monitor)|declare)\b/iu;
