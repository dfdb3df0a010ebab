import { describe, expect, it } from 'vitest';
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
