import type { ChangeStore, ReportedChange } from '../../store/changes.ts';
import { partialSource } from '../combined.ts';
import { type Change, known } from '../model.ts';
import type { TelemetrySource } from '../source.ts';
import { isSetting, setBackOn } from '../undo.ts';

/** The version that ran before was reported at most this long ago. */
const REPORTED_BEFORE_MS = 14 * 24 * 3_600_000;

/** Changes reported by pipelines (`POST /changes`), as another source. */
export function createReportedChanges(
  store: Pick<ChangeStore, 'within' | 'versionsWithin'>,
): TelemetrySource {
  return partialSource({
    name: 'changes',
    changes: async (window) => {
      const earlier = await store.versionsWithin({ from: window.from - REPORTED_BEFORE_MS, to: window.to });
      return known((await store.within(window)).map((change) => changeOf(change, earlier)));
    },
    check: async () => ({
      name: 'changes',
      ok: true,
      summary: 'Changes are taken at POST /changes, of feature flags at POST /changes/<tool>.',
      details: [],
    }),
  });
}

type Earlier = Awaited<ReturnType<ChangeStore['versionsWithin']>>;

function changeOf(reported: ReportedChange, earlier: Earlier): Change {
  const { at, service, kind, title, version, url, contents } = reported;
  const { before = null, details = null, authors, files } = contents ?? {};
  const ran =
    before ??
    earlier.findLast(
      (one) =>
        one.at < at &&
        one.service === service &&
        // A rollback goes back from what was deployed.
        (isSetting(one) ? one.kind === kind : !isSetting({ kind })) &&
        one.version !== null,
    )?.version;
  return {
    at,
    service: service === '' ? null : service,
    kind,
    title,
    version,
    ref: null,
    url,
    details,
    ...(authors && { authors }),
    ...(files && { files }),
    ...(kind === 'flag' && { undo: setBackOn(url) }),
    ...(version !== null && ran != null && ran !== version && { before: ran }),
  };
}
