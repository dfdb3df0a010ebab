import { describe, expect, it } from 'vitest';
import { blamedChange } from '../../../../src/service/investigation/ranking/blamed-change.ts';
import { rankCauses } from '../../../../src/service/investigation/ranking/rank.ts';
import type { Change, LogLine, Signal } from '../../../../src/service/telemetry/model.ts';
import { change, line, MINUTE, ONSET, seriesOf, shop, TRIGGER } from './shop.ts';

const alert = { service: 'payment', title: 'Payments fail', description: 'payment error ratio above 5 %' };

const healthy = Array.from({ length: 60 }, (_, i) =>
  line('payment', 'info', 'charged card for order', TRIGGER - (200 - i) * MINUTE),
);
const failing = Array.from({ length: 8 }, (_, i) =>
  line('payment', 'error', 'nil pointer dereference in voucher.go: Voucher.readDiscount', ONSET + i * 10_000),
);
const voucher = change({
  ref: 'a1',
  service: 'payment',
  title: 'refactor: simplify vouchers',
  details:
    'services/payment/voucher.go\n@@ func (v *Voucher) readDiscount() int {\n-\tif v.discount == nil {\n-\t\treturn 0\n-\t}\n \treturn *v.discount',
});
const tidied = change({
  ref: 'b2',
  at: ONSET - 20_000,
  service: 'payment',
  title: 'refactor: tidy the payment handler',
  details: 'services/payment/handler.go\n-\tcharge(card, order)\n+\tcharge(card,\n+\t\torder)',
});
const styled = change({
  ref: 'c3',
  at: ONSET - 10_000,
  service: 'front',
  title: 'feat: restyle the basket',
  details: 'web/basket.css\n-.voucher { color: red }\n+.voucher { color: blue }',
});

function blamed(changes: readonly Change[], logs: readonly LogLine[] = failing): string | null {
  const snapshot = { ...shop({ spans: false }), changes, logs: [...healthy, ...logs] };
  return blamedChange(snapshot, alert, { found: true, ranking: [] }).blamed?.change.ref ?? null;
}

describe('the change that is to blame', () => {
  it('is the one whose changed lines the failing code speaks of, not the latest', () => {
    expect(blamed([voucher, tidied, styled])).toBe('a1');
  });

  it('is none where no change has anything to do with it', () => {
    expect(blamed([tidied, styled])).toBeNull();
  });

  it('is none that came after the problem began', () => {
    expect(blamed([{ ...voucher, at: ONSET + 2 * MINUTE }])).toBeNull();
  });

  it('is not a change that nothing runs', () => {
    expect(
      blamed([{ ...voucher, ref: 'd4', details: 'docs/voucher.md\n-nil discount\n+readDiscount' }]),
    ).toBeNull();
  });

  it('may be a commit that nobody saw being deployed', () => {
    expect(blamed([{ ...voucher, kind: 'commit', service: null }, tidied])).toBe('a1');
  });

  it('takes its details from the commit that a deploy has', () => {
    const deploy = { ...voucher, details: null };
    const commit = { ...voucher, kind: 'commit', service: null };
    expect(blamed([commit, deploy])).toBe('a1');
  });

  it('is the setting whose value changed', () => {
    const pool = change({
      ref: 'e5',
      service: 'payment',
      title: 'chore: tune defaults',
      details: 'config/db.yaml\n-  pool_max: 50\n+  pool_max: 5',
    });
    const logs = [line('payment', 'error', 'pool exhausted: pool_max=5', ONSET)];
    expect(blamed([pool, tidied], logs)).toBe('e5');
  });

  it('is the one that removed what the code looks for now', () => {
    const kinds = change({
      ref: 'g7',
      service: 'payment',
      title: 'refactor: fees',
      details: `fees.py\n-    fee = {'card': 2, "giro": 1, 'cash': 0}.get(kind, 2)\n+    fee = {'card': 2, 'cash': 0}[kind]`,
    });
    expect(
      blamed([kinds, tidied], [line('payment', 'error', "POST /pay failed: KeyError: 'giro'", ONSET)]),
    ).toBe('g7');
    expect(
      blamed([kinds], [line('payment', 'error', "POST /pay failed: KeyError: 'card'", ONSET)]),
    ).toBeNull();
    const payload = line('payment', 'error', `cannot reach the bank, lost {'kind': 'giro', "sum": 3}`, ONSET);
    expect(blamed([kinds], [payload])).toBeNull();
  });

  it('is none where a certificate has expired', () => {
    const tls = change({
      ref: 'f6',
      service: 'payment',
      title: 'chore: certificate settings of the client',
      details: 'internal/tls.go\n-\tverify(peer)\n+\tcheck(peer)',
    });
    const logs = [line('payment', 'error', 'x509: certificate has expired: peer=bank', ONSET)];
    expect(blamed([tls], logs)).toBeNull();
  });

  it('is not one that another change says the same of', () => {
    const again = { ...voucher, ref: 'k1', title: 'refactor: readDiscount once more' };
    expect(blamed([voucher, again])).toBeNull();
  });

  it('is not one whose words another service logs', () => {
    expect(blamed([{ ...voucher, service: 'front' }])).toBeNull();
  });

  it('is not one that handles a request which the log only names', () => {
    const handler = change({
      ref: 'l2',
      service: 'payment',
      title: 'refactor: tidy the handler',
      details: 'services/payment/http.go\n@@ func (h *Handler) PlaceOrder(w Writer) {\n-\told\n+\tnew',
    });
    expect(
      blamed([handler], [line('payment', 'error', 'slow request: PlaceOrder took 4 s', ONSET)]),
    ).toBeNull();
  });

  it('is the one with whose rollback the failure ended', () => {
    const deploy = change({
      service: 'payment',
      title: 'Deploy payment 2.0.0',
      version: '2.0.0',
      at: ONSET - MINUTE,
    });
    const back = {
      ...deploy,
      title: 'Rolled payment back to 1.9.0',
      version: '1.9.0',
      before: '2.0.0',
      at: ONSET + 5 * MINUTE,
    };
    const snapshot = { ...shop({ spans: false }), changes: [deploy, back], logs: [] };
    const ranking = {
      found: true,
      ranking: [{ service: 'payment', score: 0.8, kind: 'errors' as const, onset: ONSET, reasons: [] }],
    };
    const ends = (end: number, changes = snapshot.changes) =>
      blamedChange({ ...snapshot, changes }, alert, ranking, { end }).blamed?.proof ?? null;
    const proof = { kind: 'rollback', at: back.at };
    expect(ends(ONSET + 5 * MINUTE + 20_000)).toStrictEqual(proof);
    // A rollout and the window of a rate take minutes: what began and ended with the two did so because of them.
    expect(ends(ONSET + 9 * MINUTE)).toStrictEqual(proof);
    expect(ends(ONSET + 11 * MINUTE)).toBeNull();
    expect(ends(ONSET + 9 * MINUTE, [{ ...deploy, at: ONSET - 20 * MINUTE }, back])).toBeNull();
    // As a pipeline reports it that does not know versions.
    const told = { ...back, kind: 'rollback', version: null, before: null };
    expect(ends(ONSET + 6 * MINUTE, [{ ...deploy, version: null }, told])).toStrictEqual(proof);
    // What does not depart, and nothing that departs needs, ended nothing.
    const elsewhere = [deploy, back].map((one) => ({ ...one, service: 'unheard-of' }));
    expect(ends(ONSET + 6 * MINUTE, elsewhere)).toBeNull();
  });

  it('is none that was taken back before it began, and taking it back is no suspect', () => {
    const details = voucher.details;
    const deploy = { ...voucher, kind: 'deploy', version: '2.0.0', at: ONSET - 12 * MINUTE, details };
    const back = {
      ...deploy,
      ref: 'a2',
      title: 'Deploy payment 1.9.0',
      version: '1.9.0',
      before: '2.0.0',
      details: null,
    };
    const judged = (at: number, more: Partial<Change> = {}) => {
      const snapshot = { ...shop({ spans: false }), changes: [deploy, { ...back, at, ...more }] };
      const logs = [...healthy, ...failing];
      const failure = { onset: ONSET, affected: ['payment'], end: null };
      const nothing = { found: true, ranking: [] };
      const { blamed, suspects } = blamedChange({ ...snapshot, logs }, alert, nothing, failure);
      return { blamed: blamed?.change.ref, suspects: suspects.map(({ ref }) => ref) };
    };
    expect(judged(ONSET - 2 * MINUTE)).toStrictEqual({ blamed: undefined, suspects: [] });
    expect(judged(ONSET - 2 * MINUTE, { kind: 'rollback', version: null, before: null })).toStrictEqual({
      blamed: undefined,
      suspects: [],
    });
    // It went on failing: that it was taken back in vain does not clear it.
    expect(judged(ONSET)).toStrictEqual({ blamed: 'a1', suspects: [] });
    // A later version may have the same fault.
    const later = { version: '2.0.1' };
    expect(judged(ONSET - 2 * MINUTE, later)).toStrictEqual({ blamed: 'a1', suspects: ['a2'] });
  });

  it('is a rollback where its own instances fail, and those of what it took back do not', () => {
    const errors: Signal = {
      ...{ id: 'errors', name: 'http_requests_total', label: 'error rate', measure: 'errors' },
      ...{ unit: '1', bad: 'high', metricType: 'gauge' },
    };
    const at = ONSET - MINUTE;
    const times = Float64Array.from({ length: 12 }, (_, i) => at + i * MINUTE);
    const instance = (name: string, share: number) => ({
      ...seriesOf('payment', errors, { times, values: times.map(() => share) }),
      instance: name,
    });
    const deploy = change({ service: 'payment', version: '2.0.0', at: at - 10 * MINUTE });
    const run = { from: 0, to: at + 12 * MINUTE };
    const instances = [
      { instance: 'back-1', isNew: true, ...run, from: at },
      { instance: 'then-1', isNew: false, ...run },
    ];
    const back = { ...deploy, at, title: 'payment 1.9.0', version: '1.9.0', before: '2.0.0', instances };
    const snapshot = { ...shop({ spans: false }), changes: [deploy, back], logs: [] };
    const series = [instance('back-1', 0.4), instance('then-1', 0.001)];
    const failure = { onset: ONSET, affected: ['payment'], end: null };
    const nothing = { found: true, ranking: [] };
    const { blamed } = blamedChange({ ...snapshot, instances: series }, alert, nothing, failure);
    expect([blamed?.change.title, blamed?.proof.kind]).toEqual(['payment 1.9.0', 'version']);
  });

  it('is none where no change says what it changed: those of the place are suspects, the newest first', () => {
    const deploy = change({ ref: 'g7', at: ONSET - 5 * MINUTE, service: 'payment', title: 'payment 1.4.2' });
    const changes = [
      { ...deploy, ref: 'h8', at: ONSET - 300 * MINUTE },
      deploy,
      { ...deploy, ref: 'i9', at: ONSET - MINUTE, service: 'front' },
      { ...deploy, ref: 'j0', at: ONSET + 2 * MINUTE },
    ];
    const snapshot = {
      ...shop({ faults: { slow: { service: 'payment', ms: 300 } }, spans: false }),
      changes,
    };
    const ranked = rankCauses(snapshot, { ...alert, service: 'front' });
    const { blamed: none, suspects } = blamedChange(snapshot, alert, ranked);
    expect(none).toBeNull();
    expect(suspects[0]?.ref).toBe('g7');
    expect(suspects.map(({ ref }) => ref)).not.toContain('h8');
    expect(suspects.map(({ ref }) => ref)).not.toContain('j0');
  });
});
