import type { Change } from '../../service/telemetry/model.ts';
import { rolloutUndo } from '../../service/telemetry/undo.ts';
import { effectAt } from './effects.ts';
import type { Fault } from './faults.ts';
import { chance, pick } from './random.ts';
import { SHOP } from './topology.ts';

/** A change of the shop; the harmless ones have no diff. */
export type ShopChange = Omit<Change, 'ref' | 'details' | 'url'> & { url?: string; details?: string };

export interface ShopLine {
  at: number;
  level: 'info' | 'warn' | 'error';
  message: string;
}

const DAY = 86_400_000;

/** The version of a service that would be released at a moment; later ones are higher. */
export function versionAt(service: string, at: number): string {
  const major = 1 + Math.floor(chance(7, 'major', service) * 4);
  return `${major}.${Math.floor(at / DAY) % 200}.${Math.floor((at % DAY) / 600_000)}`;
}

/** What a bad version logs, and the part of its diff that brought it. */
const BUGS = [
  {
    line: "TypeError: Cannot read properties of undefined (reading 'currency') at src/format-total.ts:41",
    diff: [
      'src/format-total.ts',
      '@@ export function formatTotal(order: Order): string {',
      "-  const code = order.total?.currency ?? 'EUR';",
      '+  const code = order.total.currency;',
    ],
  },
  {
    line: 'ValidationError: field "shipping_method" is required but was not sent',
    diff: ['src/order-schema.ts', '@@ export const OrderSchema = {', "+  required: ['shipping_method'],"],
  },
  {
    line: 'SerializationError: unknown enum value PARTIALLY_CAPTURED',
    diff: ['src/capture-state.ts', '@@ export enum CaptureState {', '+  PARTIALLY_CAPTURED,'],
  },
  {
    line: 'IllegalStateException: discount was applied twice to one line item',
    diff: [
      'src/main/java/shop/Discounts.java',
      '@@ void apply(LineItem item) {',
      '+    throw new IllegalStateException("discount was applied twice to one line item");',
    ],
  },
  {
    line: 'KeyError: tax_region',
    diff: ['shop/taxes.py', '@@ def taxes(order):', '+    region = order["tax_region"]'],
  },
] as const;

const SETTINGS = [
  {
    name: 'upstream.timeout_ms',
    from: '3000',
    to: '300',
    error: 'DeadlineExceeded: no reply within upstream.timeout_ms=300',
  },
  {
    name: 'http.max_concurrency',
    from: '256',
    to: '16',
    error: 'TooManyRequests: http.max_concurrency=16 is reached',
  },
  {
    name: 'feature.new_pricing',
    from: 'off',
    to: 'on',
    error: 'PricingRuleMissing: feature.new_pricing is on, and customer group B2B has no rule',
  },
] as const;

const QUERIES = [
  { sql: 'SELECT * FROM orders WHERE customer_email = $1 ORDER BY created_at DESC', table: 'orders' },
  { sql: 'SELECT sku, sum(quantity) FROM order_lines WHERE state = $1 GROUP BY sku', table: 'order_lines' },
  { sql: 'UPDATE captures SET settled = true WHERE batch = $1', table: 'captures' },
] as const;

function setting(fault: Fault) {
  return pick(SETTINGS, chance(fault.from, fault.service, 'setting'));
}

function bug({ from, service }: Fault) {
  return pick(BUGS, chance(from, service, 'bug'));
}

function commitOf({ from, service }: Fault): string {
  return Math.floor(chance(from, service, 'commit') * 0x1_00_00_00_00)
    .toString(16)
    .padStart(8, '0');
}

/** What people and machines did that belongs to a fault: what brought it, and what ended it. */
export function changesOf(fault: Fault): ShopChange[] {
  const { service, from, to } = fault;
  const lead = 30_000 + Math.floor(chance(from, service, 'lead') * 45_000);
  switch (fault.kind) {
    case 'bad_deploy': {
      const good = versionAt(service, from - DAY);
      const bad = versionAt(service, from - lead);
      return [
        {
          at: from - lead,
          service,
          kind: 'deploy',
          title: `Deploy ${service} ${bad} (was ${good})`,
          version: bad,
          before: good,
          details: bug(fault).diff.join('\n'),
          undo: rolloutUndo(
            { namespace: 'shop', kind: 'Deployment', name: service },
            10 + Math.floor(chance(from, service, 'revision') * 80),
          ),
        },
        { at: to, service, kind: 'deploy', title: `Roll ${service} back to ${good}`, version: good },
      ];
    }
    case 'config_change': {
      const { name, from: was, to: is } = setting(fault);
      const title = (a: string, b: string) => `Set ${name} of ${service} from ${a} to ${b}`;
      return [
        {
          at: from - lead,
          service,
          kind: 'config',
          title: title(was, is),
          version: null,
          // A page that nobody has: `.example` leads nowhere.
          url: `https://git.example/shop/${service}/-/commit/${commitOf(fault)}`,
        },
        { at: to, service, kind: 'config', title: title(is, was), version: null },
      ];
    }
    case 'certificate_expiry':
      return [
        { at: to, service, kind: 'certificate', title: `Renew the certificate of ${service}`, version: null },
      ];
    case 'connection_pool':
    case 'memory_leak':
    case 'queue_backlog':
      return [{ at: to, service, kind: 'scale', title: `Restart ${service}`, version: null }];
    case 'disk_full':
      return [{ at: to, service, kind: 'scale', title: `Enlarge the volume of ${service}`, version: null }];
    case 'slow_query':
      return [];
  }
}

/** What the degraded service itself writes; nothing while the fault does not show in it. */
export function lineOf(fault: Fault, at: number, luck: number): ShopLine | null {
  const effect = effectAt(fault, fault.service, at);
  const line = (level: ShopLine['level'], message: string): ShopLine => ({ at, level, message });
  switch (fault.kind) {
    case 'bad_deploy':
      return effect.errors > 0.05 ? line('error', bug(fault).line) : null;
    case 'config_change':
      return effect.errors > 0.05 ? line('error', setting(fault).error) : null;
    case 'connection_pool': {
      const limit = SHOP[fault.service]?.connections ?? 0;
      if (effect.errors > 0.03)
        return line(
          'error',
          `PoolTimeout: no free connection within 2000 ms (in use ${limit}, limit ${limit})`,
        );
      return effect.connections > 0.4
        ? line('warn', 'Connection pool: a connection was held for 30 s')
        : null;
    }
    case 'memory_leak':
      if (effect.errors > 0.1)
        return line('error', 'OutOfMemory: the process was killed at its memory limit; restarted');
      return effect.memory > 0.25
        ? line(
            'warn',
            `Garbage collection took ${Math.round(300 + 900 * effect.memory)} ms; little was freed`,
          )
        : null;
    case 'slow_query': {
      const { sql, table } = pick(QUERIES, chance(fault.from, fault.service, 'query'));
      const ms = Math.round(effect.latency * (0.8 + 0.6 * luck));
      return effect.latency > 200
        ? line('warn', `Slow query, ${ms} ms, sequential scan of ${table}: ${sql}`)
        : null;
    }
    case 'disk_full':
      if (effect.errors > 0.05) return line('error', 'ENOSPC: no space left on device (/var/lib/data)');
      return effect.disk > 0.15
        ? line('warn', 'Volume /var/lib/data is filling up: old segments are not removed')
        : null;
    case 'certificate_expiry':
      return effect.errors > 0.05
        ? line('error', `TLS handshake failed: certificate of ${fault.service} has expired`)
        : null;
    case 'queue_backlog':
      return effect.latency > 100
        ? line('error', `Handler timed out after 30 s for message ${poison(fault)}; returned to the queue`)
        : null;
  }
}

function poison(fault: Fault): string {
  return `msg-${Math.floor(chance(fault.from, 'poison') * 0xffffff)
    .toString(16)
    .padStart(6, '0')}`;
}
