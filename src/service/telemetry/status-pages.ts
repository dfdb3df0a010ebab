import { z } from 'zod';
import type { HostPage } from '../../lib/environment.ts';
import type { Budget } from './budget.ts';
import { partialSource } from './combined.ts';
import { askJson, createSourceClient } from './http.ts';
import { mapped, type Reading, type Trouble, unknown } from './model.ts';
import { cachePerBudget, type OpenSource } from './source.ts';

const text = z.string().max(2_000);
const time = text.nullish();
const Named = z.looseObject({
  name: text,
  started_at: time,
  created_at: time,
  scheduled_for: time,
  status: text.nullish(),
});

/** Of each product: where its page says so, and what is not over there. */
const FORMS: readonly { path: string; read: z.ZodType<Omit<Trouble, 'host' | 'url'>> }[] = [
  {
    // Statuspage: its summary has incidents that are not resolved, and maintenances to come.
    path: '/api/v2/summary.json',
    read: z
      .looseObject({
        status: z.looseObject({ indicator: text, description: text }),
        incidents: z.array(Named).default([]),
        scheduled_maintenances: z.array(Named).default([]),
      })
      .transform(({ status, incidents, scheduled_maintenances: maintenances }) => {
        const going = maintenances.filter((one) => /progress|verifying/u.test(one.status ?? ''));
        const found = [
          ...incidents.map((one) => incident(one.name, one.started_at ?? one.created_at)),
          ...going.map((one) => incident(one.name, one.scheduled_for, true)),
        ];
        const isRed = /^(?:minor|major|critical)$/u.test(status.indicator);
        return { incidents: found.length === 0 && isRed ? [incident(status.description, null)] : found };
      }),
  },
  {
    // Instatus.
    path: '/summary.json',
    read: z
      .looseObject({
        page: z.looseObject({ status: text }),
        activeIncidents: z.array(z.looseObject({ name: text, started: time })).default([]),
        activeMaintenances: z
          .array(z.looseObject({ name: text, start: time, status: text.nullish() }))
          .default([]),
      })
      .transform(({ activeIncidents, activeMaintenances }) => ({
        incidents: [
          ...activeIncidents.map((one) => incident(one.name, one.started)),
          ...activeMaintenances
            .filter(({ status }) => /progress/iu.test(status ?? ''))
            .map((one) => incident(one.name, one.start, true)),
        ],
      })),
  },
  {
    // Better Stack.
    path: '/index.json',
    read: z
      .looseObject({
        data: z.looseObject({ attributes: z.looseObject({ aggregate_state: text }) }),
        included: z.array(z.looseObject({ type: text, attributes: z.looseObject({}).nullish() })).default([]),
      })
      .transform(({ data, included }) => {
        const state = data.attributes.aggregate_state;
        const reports = included.flatMap(({ type, attributes }) => {
          const report = type === 'status_report' ? Report.safeParse(attributes).data : undefined;
          return report === undefined || report.ends_at != null
            ? []
            : [incident(report.title, report.starts_at, report.report_type === 'maintenance')];
        });
        if (state === 'operational') return { incidents: [] };
        return { incidents: reports.length > 0 ? reports : [incident(state, null, state === 'maintenance')] };
      }),
  },
];
const Report = z.looseObject({ title: text, starts_at: time, ends_at: time, report_type: text.nullish() });

function incident(name: string, since: string | null | undefined, isMaintenance = false) {
  const at = Date.parse(since ?? '');
  return { name, since: Number.isNaN(at) ? null : at, isMaintenance };
}

/** Pages on which others say how they are: read where calls to them fail, and only those that are configured. */
export function createStatusPages(settings: readonly HostPage[]): OpenSource {
  const pages = settings.map(({ host, url }) => {
    const address = {
      title: `the status page of ${host}`,
      variable: 'STATUS_PAGES',
      location: 'STATUS_PAGES',
      url,
    };
    return { host, url, http: createSourceClient(address), address };
  });
  const once = cachePerBudget<Reading<Trouble>>();
  const read = ({ host, url, http, address }: (typeof pages)[number], budget: Budget) =>
    once(host, budget, async () => {
      let last: Reading<Trouble> = unknown(`The status page of ${host} was not read.`);
      for (const { path, read: form } of FORMS) {
        const reading = await askJson({ http, address }, { path }, form, budget);
        last = mapped(reading, ({ incidents }) => ({ host, url, incidents }));
        if (last.known) return last;
      }
      return last;
    });
  return {
    ...partialSource({
      name: 'status pages',
      statusPages: {
        hostOf: (name) => {
          const meant = hostOf(name);
          const found = pages.find(({ host }) => host === meant || operatorOf(host) === meant);
          return found?.host ?? null;
        },
        read: async (host, budget) => {
          const page = pages.find((one) => one.host === host);
          return page === undefined
            ? unknown(`No status page of ${host} is configured.`)
            : read(page, budget);
        },
      },
      check: async (budget) => {
        const readings = await Promise.all(pages.map((page) => read(page, budget)));
        const reasons = readings.flatMap((reading) => (reading.known ? [] : [reading.reason]));
        return {
          name: 'status pages',
          ok: reasons.length === 0,
          summary: reasons[0] ?? `${pages.map(({ host }) => host).join(', ')}: their status pages answer.`,
          details: reasons.slice(1),
        };
      },
    }),
    close: async () => void (await Promise.all(pages.map(({ http }) => http.close()))),
  };
}

/** `API.stripe.com:443` → `api.stripe.com`. */
function hostOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/^https?:\/\//u, '')
    .replace(/[:/].*$/u, '');
}

/** `api.stripe.com` → `stripe`; `api.example.co.uk` → `example`. */
function operatorOf(host: string): string {
  const labels = host.split('.').slice(0, -1);
  const last = labels.pop() ?? host;
  return last.length <= 3 ? (labels.pop() ?? last) : last;
}
