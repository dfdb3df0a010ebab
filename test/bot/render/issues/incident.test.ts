import { expect, it } from 'vitest';
import { incidentLine } from '../../../../src/bot/render/issues/incident.ts';

const own = { name: 'invoicer', number: null, isAlert: true, isFiring: false, hasRecovered: true };
const alert = { name: 'seats', number: 6, isAlert: true, isFiring: true, hasRecovered: false };
const report = { name: 'late invoices', number: 8, isAlert: false, isFiring: false, hasRecovered: false };

it('an incident counts its alerts, and what people reported apart from them', () => {
  expect(incidentLine([own])).toBeNull();
  expect(incidentLine([own, alert])).toBe('2 alerts: invoicer, seats (#6) · 1 still firing');
  expect(incidentLine([own, alert, report])).toBe(
    '2 alerts: invoicer, seats (#6) · 1 still firing · 1 report: late invoices (#8)',
  );
  expect(incidentLine([{ ...report, number: null }, alert])).toBe(
    '1 alert: seats (#6) · 1 still firing · 1 report: late invoices',
  );
  expect(incidentLine([report, report])).toBe('2 reports: late invoices (#8), late invoices (#8)');
});

it('what somebody resolved is not said to have recovered', () => {
  const resolved = { ...alert, isFiring: false };
  expect(incidentLine([own, resolved])).toBe('2 alerts: invoicer, seats (#6) · 1 recovered');
  expect(incidentLine([own, { ...resolved, hasRecovered: true }])).toBe(
    '2 alerts: invoicer, seats (#6) · all recovered',
  );
});
