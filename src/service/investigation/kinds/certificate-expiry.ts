import { timeOfDay } from '../format.ts';
import { restart } from './commands.ts';
import { lineAbout, logObservation, metricObservation, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

/** An expired certificate: nobody can connect. */
export const certificateExpiry: Kind = {
  name: 'certificate expiry',
  headline: (service) => `expired TLS certificate on ${service}`,
  assess(candidate) {
    const certificate = candidate.anomaly('certificate');
    const line = lineAbout(candidate, /certificate|TLS|x509/iu);
    if (!certificate && !line) return null;
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    return {
      strength: (certificate ? 0.75 : 0) + (line ? 0.3 : 0) + (symptom ? 0.1 : 0),
      detail: `it expired at ${timeOfDay(certificate?.onset ?? candidate.onset)}, and connections have been failing since`,
      observations: [
        ...(certificate ? [metricObservation(service, certificate)] : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(symptom ? [metricObservation(service, symptom, 'Began when the certificate expired.')] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Renew the ${service} certificate`,
        description: 'Issue a new certificate and get it loaded.',
        category: 'immediate',
        steps: [
          {
            title: 'Check the certificate being served',
            type: 'command',
            content: `openssl s_client -connect ${service}:443 -servername ${service} </dev/null | openssl x509 -noout -enddate`,
            help: 'If a renewed one is already on disk, it just was not loaded: skip to the restart.',
            required: true,
          },
          {
            title: 'Renew it',
            type: 'check',
            content: `A new certificate for ${service} is issued: by cert-manager, ACME or by hand.`,
            help: 'With cert-manager: `cmctl renew <name of the certificate>`.',
            required: true,
          },
          {
            title: `Restart ${service} to load it`,
            ...restart(candidate.node),
            help: 'Not needed if certificates are hot-reloaded.',
            required: false,
          },
          {
            title: 'Confirm that clients can connect',
            type: 'check',
            content: `No more handshake errors in the ${service} logs, and traffic is back to normal.`,
            help: 'Clients that back off after failures may take a minute.',
            required: true,
          },
        ],
      },
      {
        title: 'Automate certificate renewal',
        description: 'The renewal did not run, or failed silently.',
        category: 'follow_up',
        steps: [
          {
            title: 'Find out why it was not renewed',
            type: 'check',
            content: `The ${service} certificate events of the last 30 days.`,
            help: 'A failed ACME challenge is the usual reason.',
            required: true,
          },
          {
            title: 'Alert two weeks before expiry',
            type: 'info',
            content: 'Alert on the remaining lifetime of every certificate.',
            help: 'The metric exists: this investigation read it.',
            required: false,
          },
        ],
      },
    ];
  },
};
