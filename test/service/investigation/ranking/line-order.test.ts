import { expect, it } from 'vitest';
import { rankCauses } from '../../../../src/service/investigation/ranking/rank.ts';
import type { LogLine } from '../../../../src/service/telemetry/model.ts';
import { line, MINUTE, ONSET, shop, TRIGGER } from './shop.ts';

const SECOND = 1_000;
const alert = { service: 'front', title: 'Orders are missing', description: '' };

/** Every few seconds an order for two instances in turn; `stores`: whether the payment is stored at that moment. */
function orders(stores: (at: number) => boolean, every = (_at: number) => 5 * SECOND): LogLine[] {
  const lines: LogLine[] = [];
  let count = 0;
  for (let at = TRIGGER - 90 * MINUTE; at < TRIGGER; at += every(at)) {
    const instance = `pod-${++count % 2}`;
    const says = (service: string, message: string, later: number) =>
      lines.push({ ...line(service, 'info', message, at + later), instance: `${service}-${instance}` });
    says('checkout', `order ${count} placed`, 0);
    says('payment', `payment received for order ${count}`, 100);
    if (!stores(at)) continue;
    says('payment', `payment stored as ${count * 7}`, 400);
    says('checkout', `order ${count} confirmed`, 600);
  }
  return lines.filter(({ at }) => at <= TRIGGER).sort((a, b) => a.at - b.at);
}

function named(logs: readonly LogLine[]) {
  const { found, ranking } = rankCauses({ ...shop({ spans: false }), logs }, alert);
  return {
    found,
    named: ranking.map(({ service, reasons: [reason] }) => ({
      service,
      ...(reason?.what === 'departure'
        ? { after: reason.operation, missing: reason.event, usually: reason.usually, now: reason.now }
        : {}),
    })),
  };
}

const payment = {
  found: true,
  named: [
    {
      service: 'payment',
      after: 'payment received for order #',
      missing: 'payment stored as #',
      usually: 1,
      now: 0,
    },
  ],
};
const nothing = { found: false, named: [] };

it('names the service that no longer logs what it always logged after another line, not its caller', () => {
  expect(named(orders((at) => at < ONSET))).toEqual(payment);
});

it('names it, too, where that began long before the alert', () => {
  expect(named(orders((at) => at < TRIGGER - 10 * MINUTE))).toEqual(payment);
});

it('finds nothing where lines follow each other as always', () => {
  expect(named(orders(() => true))).toEqual(nothing);
});

it('finds nothing where every other order has always been without a payment', () => {
  expect(named(orders((at) => (at / (5 * SECOND)) % 2 === 0))).toEqual(nothing);
});

it('finds nothing where lines only come more rarely, since there is less to do', () => {
  // One worker logs both, but for different jobs: what follows within seconds by day does not by night.
  const worker = (message: string, later: number) =>
    Array.from({ length: 2_000 }, (_, i) => TRIGGER - 90 * MINUTE + i * 3 * SECOND)
      .filter((at, i) => at < ONSET || i % 20 === 0)
      .map((at) => line('payment', 'info', message, at + (at < ONSET ? later : later * 20)));
  const lines = [...worker('mail sent', 0), ...worker('report drawn', SECOND)];
  expect(named(lines.filter(({ at }) => at <= TRIGGER).sort((a, b) => a.at - b.at))).toEqual(nothing);
});
