import { expect, it } from 'vitest';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { observed } from '../../../../src/bot/alerts/senders/history.ts';
import { learn } from '../../../../src/bot/alerts/senders/learned.ts';
import { patternOf, readWith, SenderMap } from '../../../../src/bot/alerts/senders/map.ts';
import { type Answer, asRead, mapOf, shownKinds } from '../../../../src/bot/alerts/senders/shown.ts';
import { mapAsVariable, mapInWords } from '../../../../src/bot/settings/senders.ts';
import { toolMessage } from '../fixtures.ts';

function seen(text: string, color?: string) {
  const message = color === undefined ? { text } : { attachments: [{ color, text }] };
  const raw = toolMessage({ ...message, username: 'probe', channel: 'C1' });
  const shown = observed(raw, parseAlert(raw));
  if (shown === null) throw new Error('a format reads it');
  return shown.observation;
}

function shown(texts: readonly string[], states: readonly string[] = [], map: SenderMap | null = null) {
  return shownKinds(
    's',
    learn(
      's',
      texts.map((text) => seen(text)),
    ),
    { map, states },
  );
}

const FIELDS = ['alpha', 'beta', 'alpha'].flatMap((host) => [
  `Stand der Anlage\nHost: ${host}\nLage: rot`,
  `Stand der Anlage\nHost: ${host}\nLage: gut`,
]);

it('what is confirmed reads the same messages with other objects, each problem and its end as one', () => {
  const texts = ['db1', 'db2', 'db1', 'db3'].flatMap((host) => [
    `Kopie von ${host} hängt`,
    `Kopie von ${host} läuft`,
  ]);
  const kinds = shown(texts);
  const made = mapOf('s', kinds, kinds.flatMap(asRead), null);
  if ('wrong' in made) throw new Error('it contradicts itself');
  expect(SenderMap.parse(JSON.parse(JSON.stringify(made.map)))).toStrictEqual(made.map);
  expect(mapInWords(made.map)).toBe(
    '“kopie von {object} hängt” reports a problem, and “kopie von {object} läuft” ends it',
  );
  const read = (text: string) => readWith(made.map, 's', seen(text));
  const [on, over, other] = ['Kopie von db9 hängt', 'Kopie von db9 läuft', 'Kopie von db8 hängt'].map(read);
  expect([on?.kind, over?.kind, other?.kind]).toStrictEqual(['firing', 'resolved', 'firing']);
  expect(over?.fingerprint).toBe(on?.fingerprint);
  expect(other?.fingerprint).not.toBe(on?.fingerprint);
  expect(read('Kopie von db9 und db8 hängt')).toBeNull();
  expect(readWith(made.map, 'another', seen('Kopie von db9 hängt'))?.fingerprint).not.toBe(on?.fingerprint);
});

it('a part of which a person says that it is the state tells two kinds', () => {
  const texts = FIELDS.map((text) => text.replace('rot', 'eins').replace('gut', 'zwei'));
  const [kind] = shown(texts);
  const state = kind?.parts.find(({ label }) => label === 'lage');
  expect(state?.mayBeState).toBe(true);
  const split = shown(texts, [state?.key ?? '']);
  expect(split.map(({ messages, kind }) => [messages, patternOf(kind, ['host:'])])).toStrictEqual([
    [2, ['host: {object}', 'lage: eins']],
    [2, ['host: {object}', 'lage: zwei']],
    [1, ['host: {object}', 'lage: eins']],
    [1, ['host: {object}', 'lage: zwei']],
  ]);
});

it('what ends a problem has to name as much as that', () => {
  const kinds = shown(['Kopie von db1 hängt', 'Kopie von db2 hängt', 'Alles läuft', 'Alles läuft']);
  const [trouble, fine] = kinds;
  const objects = trouble?.parts.map(({ key }) => key) ?? [];
  const answers: Answer[] = [
    { id: trouble?.id ?? '', is: 'trouble', objects },
    { id: fine?.id ?? '', is: { ends: [trouble?.id ?? ''] }, objects: [] },
  ];
  expect(objects).toHaveLength(1);
  expect(mapOf('s', kinds, answers, null)).toStrictEqual({ wrong: [fine?.id] });
});

it('what was said before of messages that are not shown now stays', () => {
  const before = {
    problems: [{ trouble: [['old {object}']], recovery: [] }],
    noAlert: [['kopie von * hängt']],
  };
  const kinds = shown(['Kopie von db1 hängt', 'Kopie von db2 hängt']);
  const answers = kinds.map(({ id, objects }): Answer => ({ id, is: 'trouble', objects }));
  expect(mapOf('s', kinds, answers, before)).toStrictEqual({
    map: {
      problems: [
        { trouble: [['kopie von {object} hängt']], recovery: [] },
        { trouble: [['old {object}']], recovery: [] },
      ],
      noAlert: [],
    },
  });
});

it('the color tells two kinds that are worded alike', () => {
  const map = {
    problems: [{ trouble: [['probe of {object}', '#danger']], recovery: [['probe of {object}', '#good']] }],
    noAlert: [],
  };
  const read = (color: string) => readWith(map, 's', seen('Probe of db1', color))?.kind;
  expect([read('danger'), read('good'), read('warning')]).toStrictEqual(['firing', 'resolved', undefined]);
});

it('is exported so that a shell reads it as it is', () => {
  const map = { problems: [], noAlert: [["it's *"]] };
  expect(mapAsVariable('the_jobs', map)).toBe(
    `ALERT_MAP_THE_JOBS='{"messages":{"problems":[],"noAlert":[["it'\\''s *"]]}}'`,
  );
});
