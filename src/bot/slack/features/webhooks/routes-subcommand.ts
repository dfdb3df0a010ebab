import {
  onlyAdminsSeeRoutes,
  renderRoutes,
  renderTrial,
  unreadablePayload,
} from '../../../render/webhooks/routes.ts';
import { routeOf } from '../../../webhooks/routes.ts';
import type { Subcommand } from '../../commands/command.ts';
import { tellPerson } from '../../listening/tell.ts';

/** `/gumshoe routes` lists sources and routes; given a source and a payload, says where its alerts would go. */
export const routes: Subcommand = {
  example: 'routes',
  does: 'shows the sources of webhooks and the routes of alerts; with a source and a payload, where its alerts would go (admins)',
  run: async ({ userId, words, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdminsSeeRoutes(), deps);
    const { webhooks } = deps;
    const [, source = '', payload = ''] = /^(\S+)\s*([\s\S]*)$/u.exec(words.trim()) ?? [];
    if (source === '') return tellPerson(respond, renderRoutes(webhooks), deps);
    const name = source.toLowerCase();
    const reading = webhooks.read(name, payload);
    if (reading === null)
      return tellPerson(respond, unreadablePayload('There is no such source.', webhooks), deps);
    if (reading.kind === 'confirm') {
      return tellPerson(
        respond,
        unreadablePayload('It confirms a subscription, and holds no alert.', webhooks),
        deps,
      );
    }
    if (reading.kind !== 'alerts')
      return tellPerson(respond, unreadablePayload(reading.reason, webhooks), deps);
    const alerts = reading.alerts.map(({ alert: { title, kind }, labels }) => {
      const route = routeOf({ source: name, labels }, webhooks.routes);
      return { title, kind, route: route === null ? null : { text: route.text, channel: route.channel } };
    });
    await tellPerson(respond, renderTrial(alerts), deps);
  },
};
