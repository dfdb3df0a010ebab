import type { Alert } from '../../../../src/bot/alerts/types.ts';
import { toolMessage } from '../fixtures.ts';

/** What messages of a tool that nobody has heard of say; each was written before its reading was looked at. */
interface Unseen {
  tool: string;
  firing: Record<string, unknown>;
  /** The same alert later: other numbers, other times, other durations. */
  repeat: Record<string, unknown>;
  resolved: Record<string, unknown>;
  /** Another problem that the same tool tells of in the same words. */
  other: Record<string, unknown>;
  says: Partial<Alert>;
}

const said = (text: string) => toolMessage({ text });
const card = (...attachments: Record<string, unknown>[]) => toolMessage({ text: '', attachments });
const blocks = (...parts: Record<string, unknown>[]) => toolMessage({ text: '', blocks: parts });
const field = (title: string, value: string | number) => ({ title, value, short: true });
const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const fields = (...texts: string[]) => ({
  type: 'section',
  fields: texts.map((text) => ({ type: 'mrkdwn', text })),
});
const context = (text: string) => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] });
const button = (text: string, url: string) => ({
  type: 'actions',
  elements: [{ type: 'button', text: { type: 'plain_text', text }, url }],
});

const disk = (state: string, host: string, usage: string, at: string) =>
  said(`${state}: disk almost full\nHost: ${host}\nSeverity: critical\nUsage: ${usage}\nSince: ${at}`);
const queue = (state: string, name: string, depth: number) =>
  card({
    color: state === 'Resolved' ? '2eb886' : 'a30200',
    title: `${state}: Queue depth of ${name}`,
    title_link: 'https://pulse.example.io/overview',
    text: `${depth} messages are waiting`,
    fields: [field('Environment', 'staging'), field('Service', 'orders'), field('Priority', 'P3')],
  });
const latency = (mark: string, service: string, value: string, at: string, state: string) =>
  blocks(
    header(`${mark} Latency above threshold`),
    fields(
      `*Service:*\n${service}`,
      '*Region:*\neu-west-1',
      `*Current value:*\n${value}`,
      `*Status:*\n${state}`,
    ),
    context(`Started at ${at}   Version: 3.4.1`),
    button('View alert', 'https://lat.example.io/open'),
  );
const lag = (state: string, topic: string, count: number) =>
  said(`[${state}] payments-worker: consumer lag ${count} on topic ${topic}`);
const probe = (name: string, words: string) =>
  said(`Synthetic check *${name}* ${words} from \`eu-central-1\``);
const slo = (name: string, burn: string, status: string) =>
  said(`SLO burn-rate alert: *${name}*\nStatus: ${status}\nBurn rate: ${burn}\nEnvironment: production`);
const cron = (job: string, words: string) => said(`Cron job \`${job}\` ${words}`);
const incident = (id: string, state: string, lagging: string) =>
  card({
    title: 'Replication lag',
    title_link: `https://dbwatch.example.io/incidents/${id}?at=${lagging}`,
    fields: [field('State', state), field('Host', 'pg-3.example.io'), field('Lag', lagging)],
  });
const closing = (words: string, name: string, id: number) => said(`Incident ${words}: ${name} (INC-${id})`);
const edge = (fallback: string) => card({ fallback });
const target = (name: string, from: string, to: string) =>
  said(`Health check for target ${name} changed from ${from} to ${to}`);
const link = (device: string, state: string) => said(`Device ${device} interface Gi1/0/24 is ${state}`);
const heat = (state: string, rack: string, degrees: string) =>
  said(`Temperature ${state} in rack ${rack}: ${degrees} °C (limit 35 °C)`);
const group = (name: string, state: string, count: string) =>
  said(`Kafka consumer group \`${name}\` lag is ${state}: ${count} messages`);
const log = (status: string, service: string, id: string, at: string) =>
  said(
    `ts=${at} status=${status} alert="error ratio" service=${service} env=prod trace_id=${id} severity=warning`,
  );
const rich = (state: string, name: string, value: string) =>
  blocks({
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'emoji', name: state === 'FIRING' ? 'rotating_light' : 'white_check_mark' },
          { type: 'text', text: ` ${state} `, style: { bold: true } },
          { type: 'text', text: `${name} at ${value}` },
        ],
      },
    ],
  });
const cert = (mark: string, words: string, site: string) =>
  card({
    color: mark === ':x:' ? 'danger' : 'good',
    pretext: `${mark} *${words}*`,
    text: `Certificate of ${site} expires soon`,
    fields: [field('Host', site), field('Severity', 'Medium')],
  });
const spend = (status: string, account: string, amount: string) =>
  blocks(
    section(`*Budget alert* for account *${account}*`),
    section(`*Alert status:* ${status}\n*Spent:* ${amount}\n*Error type:* BudgetExceeded`),
  );

export const unseen: readonly Unseen[] = [
  {
    tool: 'lines of labels',
    firing: disk('ALERT', 'db-7.example.io', '97.3 %', '2026-11-18 05:30:11 UTC'),
    repeat: disk('ALERT', 'db-7.example.io', '98.9 %', '2026-11-18 06:30:11 UTC'),
    resolved: disk('RESOLVED', 'db-7.example.io', '41.0 %', '2026-11-18 07:12:00 UTC'),
    other: disk('ALERT', 'db-8.example.io', '97.3 %', '2026-11-18 05:30:11 UTC'),
    says: {
      title: 'disk almost full',
      severity: 'high',
      host: 'db-7.example.io',
      triggeredAt: '2026-11-18T05:30:11Z',
    },
  },
  {
    tool: 'a card with fields',
    firing: queue('Triggered', 'invoices', 18_204),
    repeat: queue('Triggered', 'invoices', 20_011),
    resolved: queue('Resolved', 'invoices', 3),
    other: queue('Triggered', 'refunds', 18_204),
    says: {
      title: 'Queue depth of invoices',
      severity: 'medium',
      environment: 'staging',
      service: 'orders',
      alertUrl: 'https://pulse.example.io/overview',
      errorMessage: '18204 messages are waiting',
    },
  },
  {
    tool: 'blocks with a button',
    firing: latency('🔴', 'checkout', '2.41 s', '2026-11-18T05:30:11Z', 'Firing'),
    repeat: latency('🔴', 'checkout', '3.07 s', '2026-11-18T05:30:11Z', 'Firing'),
    resolved: latency('🟢', 'checkout', '0.31 s', '2026-11-18T05:30:11Z', 'Resolved'),
    other: latency('🔴', 'search', '2.41 s', '2026-11-18T05:30:11Z', 'Firing'),
    says: {
      title: 'Latency above threshold',
      service: 'checkout',
      region: 'eu-west-1',
      version: '3.4.1',
      triggeredAt: '2026-11-18T05:30:11Z',
      alertUrl: 'https://lat.example.io/open',
    },
  },
  {
    tool: 'a severity in brackets',
    firing: lag('CRITICAL', 'invoices', 48_210),
    repeat: lag('CRITICAL', 'invoices', 51_873),
    resolved: lag('OK', 'invoices', 12),
    other: lag('CRITICAL', 'refunds', 48_210),
    says: { severity: 'high' },
  },
  {
    tool: 'a probe in words',
    firing: probe('login-flow', 'is failing'),
    repeat: probe('login-flow', 'is still failing'),
    resolved: probe('login-flow', 'has recovered'),
    other: probe('search-flow', 'is failing'),
    says: { region: 'eu-central-1' },
  },
  {
    tool: 'a status below the name',
    firing: slo('search availability', '14.4x', 'firing'),
    repeat: slo('search availability', '20.1x', 'firing'),
    resolved: slo('search availability', '0.2x', 'resolved'),
    other: slo('cart availability', '14.4x', 'firing'),
    says: { environment: 'production' },
  },
  {
    tool: 'a job that did not run',
    firing: cron('nightly-export', 'missed its run'),
    repeat: cron('nightly-export', 'missed its run'),
    resolved: cron('nightly-export', 'is back to normal'),
    other: cron('hourly-export', 'missed its run'),
    says: {},
  },
  {
    tool: 'a page of an incident',
    firing: incident('9f8e7d6', 'OPEN', '312s'),
    repeat: incident('9f8e7d6', 'OPEN', '402s'),
    resolved: incident('9f8e7d6', 'CLOSED', '2s'),
    other: incident('9f8e7d7', 'OPEN', '312s'),
    says: {
      title: 'Replication lag',
      host: 'pg-3.example.io',
      alertUrl: 'https://dbwatch.example.io/incidents/9f8e7d6?at=312s',
    },
  },
  {
    tool: 'an incident with a number of its own',
    firing: closing('opened', 'API gateway 5xx', 1042),
    repeat: closing('re-opened', 'API gateway 5xx', 1042),
    resolved: closing('closed', 'API gateway 5xx', 1042),
    other: closing('opened', 'Login 5xx', 1043),
    says: {},
  },
  {
    tool: 'nothing but a fallback',
    firing: edge('[DOWN] probe edge-3 unreachable for 40 s'),
    repeat: edge('[DOWN] probe edge-3 unreachable for 95 s'),
    resolved: edge('[UP] probe edge-3 unreachable for 3 min'),
    other: edge('[DOWN] probe edge-4 unreachable for 40 s'),
    says: {},
  },
  {
    tool: 'a transition in words',
    firing: target('web-14', 'HEALTHY', 'UNHEALTHY'),
    repeat: target('web-14', 'HEALTHY', 'UNHEALTHY'),
    resolved: target('web-14', 'UNHEALTHY', 'HEALTHY'),
    other: target('web-15', 'HEALTHY', 'UNHEALTHY'),
    says: {},
  },
  {
    tool: 'a network card',
    firing: link('core-sw-2', 'DOWN'),
    repeat: link('core-sw-2', 'DOWN'),
    resolved: link('core-sw-2', 'UP'),
    other: link('core-sw-3', 'DOWN'),
    says: {},
  },
  {
    tool: 'a thermometer',
    firing: heat('ALARM', 'B4', '41.2'),
    repeat: heat('ALARM', 'B4', '44.0'),
    resolved: heat('OK', 'B4', '29.8'),
    other: heat('ALARM', 'C1', '41.2'),
    says: {},
  },
  {
    tool: 'a state that "is"',
    firing: group('billing', 'critical', '182,311'),
    repeat: group('billing', 'critical', '190,004'),
    resolved: group('billing', 'ok', '12'),
    other: group('mail', 'critical', '182,311'),
    says: { severity: 'high' },
  },
  {
    tool: 'a line of a log',
    firing: log('firing', 'cart', 'abc123', '2026-11-18T05:30:11Z'),
    repeat: log('firing', 'cart', 'def456', '2026-11-18T05:45:11Z'),
    resolved: log('resolved', 'cart', 'fed987', '2026-11-18T06:30:11Z'),
    other: log('firing', 'search', 'abc123', '2026-11-18T05:30:11Z'),
    says: {
      service: 'cart',
      environment: 'prod',
      traceId: 'abc123',
      severity: 'medium',
      triggeredAt: '2026-11-18T05:30:11Z',
    },
  },
  {
    tool: 'rich text',
    firing: rich('FIRING', 'Heap of search-2', '97 %'),
    repeat: rich('FIRING', 'Heap of search-2', '99 %'),
    resolved: rich('RESOLVED', 'Heap of search-2', '41 %'),
    other: rich('FIRING', 'Heap of search-3', '97 %'),
    says: {},
  },
  {
    tool: 'a line above the card',
    firing: cert(':x:', 'Certificate check failed', 'shop.example.io'),
    repeat: cert(':x:', 'Certificate check failed', 'shop.example.io'),
    resolved: cert(':white_check_mark:', 'Certificate check recovered', 'shop.example.io'),
    other: cert(':x:', 'Certificate check failed', 'pay.example.io'),
    says: { host: 'shop.example.io', severity: 'medium' },
  },
  {
    tool: 'sections with labels',
    firing: spend('Triggered', 'acme-prod', '$1,204.11'),
    repeat: spend('Triggered', 'acme-prod', '$1,310.40'),
    resolved: spend('Resolved', 'acme-prod', '$0.00'),
    other: spend('Triggered', 'acme-lab', '$1,204.11'),
    says: { errorType: 'BudgetExceeded' },
  },
];

/** What bots say that is nobody's alert, though some of its words are an alert's. */
export const noise: readonly Record<string, unknown>[] = [
  said('Deployment of checkout 3.4.1 to production finished in 4 min'),
  said(':rocket: dana is deploying search 1.2.0 (fixes the critical crash in login)'),
  said('Daily report: 12 incidents, 3 critical, mean time to resolve 41 min'),
  said('Stand-up in 10 minutes! What did you do yesterday, what is blocking you?'),
  said('Poll closed: *Where do we eat?* Pizza 7, Ramen 4, nothing 1'),
  said('Dana opened pull request <https://git.example.io/shop/pull/812|#812 Fix crash when payment fails>'),
  said('Build #4821 of shop passed: 1204 passed, 0 failed, 3 skipped'),
  said('Release 2.8.0 is out: fewer timeouts, no more errors on start'),
  said('Reminder: fire drill tomorrow at 10:00, the alarm will ring'),
  said('New comment of Sam on *Post-mortem: checkout was down*'),
  said('Alert rules were updated by Dana: 3 added, 1 removed'),
  said('On-call: Dana takes over from Sam for the week, have a quiet one'),
  said('Feature flag `new-cart` was turned on in production by Sam'),
  said('Terraform plan for staging: 3 to add, 1 to change, 0 to destroy'),
  said('Ticket SUP-812 was created: "How do I export invoices?"'),
  said('Welcome to the team, Robin! Say hello :wave:'),
  said('Coverage went up from 81.2 % to 81.9 %'),
  said('Backup of orders-db completed: 41 GB in 12 min'),
  said('Your coffee chat this week is with Robin. Warning: may contain cake.'),
  card({ title: 'Weekly summary', text: '41 alerts fired, 40 resolved, 1 open', color: 'good' }),
  card({
    title: 'Pipeline succeeded',
    color: '#36a64f',
    fields: [field('Branch', 'main'), field('Tests', '812 passed'), field('Failed', 0)],
  }),
  card({
    title: 'SHOP-812 Errors in the log should be shorter',
    fields: [field('Assignee', 'Dana'), field('Type', 'Story'), field('Status', 'To do')],
  }),
  blocks(header('Sprint 41 has started'), section('*Goal:* no critical bugs left\n*Ends:* 2026-12-01')),
  blocks(section('*Scheduled maintenance* of pg-3 on Sunday 02:00–04:00 UTC'), context('planned by Dana')),
];
