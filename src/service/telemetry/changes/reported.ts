import type { ReportedChange } from '../../store/changes.ts';
import { known } from '../model.ts';
import { partialSource } from '../partial-source.ts';
import type { TelemetrySource } from '../source.ts';

/** Changes reported by pipelines (`POST /changes`), as another source. */
export function createReportedChanges(store: {
  within(window: { from: number; to: number }): Promise<ReportedChange[]>;
}): TelemetrySource {
  return partialSource({
    name: 'changes',
    changes: async (window) =>
      known(
        (await store.within(window)).map(({ at, service, kind, title, version, url }) => ({
          at,
          service,
          kind,
          title,
          version,
          ref: null,
          url,
          details: null,
        })),
      ),
    check: async () => ({
      name: 'changes',
      ok: true,
      summary: 'Changes are taken at POST /changes.',
      details: [],
    }),
  });
}
