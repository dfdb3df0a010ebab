import { describe, expect, it } from 'vitest';
import { webhookFormatNamed } from '../../../src/bot/alerts/formats/index.ts';
import { nearestOf } from '../../../src/bot/alerts/nearest.ts';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { toolMessage } from './fixtures.ts';

const read = (text: string): Alert => parseAlert(toolMessage({ text }));
const nearest = (recovery: string, ...firing: string[]) =>
  nearestOf(
    read(recovery),
    firing.map((text, at) => ({ alert: read(text), of: at })),
  );

describe('a recovery in other words than its alert', () => {
  it('is of the only alert that it names', () => {
    expect(
      nearest(
        ':large_green_circle: checkout.example.io is up again\nLength: 5 minutes',
        ':red_circle: basket.example.io is down\nRegion: eu-west-1',
        ':red_circle: checkout.example.io is down\nCause: SSL certificate expired\nRegion: eu-west-1',
      ),
    ).toStrictEqual({ kind: 'one', of: 1 });
  });

  it('needs no vocabulary of its language', () => {
    expect(
      nearest(
        ':white_check_mark: Databáze orders-db zase běží',
        ':red_circle: Databáze users-db spadla',
        ':red_circle: Databáze orders-db spadla',
      ),
    ).toStrictEqual({ kind: 'one', of: 1 });
  });

  it('ends none of several that are as near', () => {
    expect(
      nearest(
        'RESOLVED: replication lag',
        'FIRING: replication lag\nHost: db-1',
        'FIRING: replication lag\nHost: db-2',
      ),
    ).toStrictEqual({ kind: 'several', count: 2 });
  });

  it.each([
    [
      'another host',
      'RESOLVED: replication lag\nHost: db-3',
      'FIRING: replication lag\nHost: db-1\nTeam: data',
    ],
    [
      'another value of a field',
      'RESOLVED: disk is fine\nDevice: sda',
      'FIRING: disk is full\nDevice: sdb\nTeam: data',
    ],
    ['a name that the alert does not have', 'RESOLVED: queue mail-2', 'FIRING: queue is growing\nTeam: mail'],
    ['nothing in common', 'RESOLVED: certificate', 'FIRING: replication lag'],
  ])('ends no alert that it contradicts: %s', (_, recovery, firing) => {
    expect(nearest(recovery, firing)).toStrictEqual({ kind: 'none' });
  });
});

describe('a recovery that states the identity of a rule', () => {
  const queue = (name: string | null, status: string, key = 'queue-depth'): Alert => {
    const payload = {
      dedup_key: key,
      status,
      ...(name === null ? {} : { title: 'Queue is deep', queue: name }),
    };
    const reading = webhookFormatNamed('generic')?.read(payload, {});
    if (reading?.kind !== 'alerts' || reading.alerts[0] === undefined) throw new Error('no alert');
    return reading.alerts[0].alert;
  };
  const firing = (...names: string[]) => names.map((name) => ({ alert: queue(name, 'firing'), of: name }));

  it('ends the only alert under it, though it names no object', () => {
    expect(nearestOf(queue(null, 'resolved'), firing('orders'))).toStrictEqual({ kind: 'one', of: 'orders' });
  });

  it('ends none of two, unless it names one', () => {
    const both = firing('orders', 'invoices');
    expect(nearestOf(queue(null, 'resolved'), both)).toStrictEqual({ kind: 'several', count: 2 });
    expect(nearestOf(queue('invoices', 'resolved'), both)).toStrictEqual({ kind: 'one', of: 'invoices' });
  });

  it('ends none under another identity, nor of another object', () => {
    expect(nearestOf(queue('orders', 'resolved', 'other'), firing('orders'))).toStrictEqual({ kind: 'none' });
    expect(nearestOf(queue('mails', 'resolved'), firing('orders'))).toStrictEqual({ kind: 'none' });
  });
});
