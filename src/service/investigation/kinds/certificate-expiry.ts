import { timeOfDay } from '../words.ts';
import { lineAbout, logClue, metricClue, symptomOf } from './clues.ts';
import type { Kind } from './types.ts';

/** A certificate past its end: nobody can connect any more. */
export const certificateExpiry: Kind = {
  name: 'certificate expiry',
  weigh(suspect) {
    const certificate = suspect.anomaly('certificate.remaining');
    const line = lineAbout(suspect, /certificate|TLS|x509/iu);
    if (!certificate && !line) return null;
    const symptom = symptomOf(suspect);
    const service = suspect.node.name;
    return {
      strength: (certificate ? 0.6 : 0) + (line ? 0.3 : 0) + (symptom ? 0.1 : 0),
      what: `has an expired TLS certificate: it ended at ${timeOfDay(certificate?.onset ?? suspect.onset)}, and since then connections to it fail`,
      clues: [
        ...(certificate ? [metricClue(service, certificate)] : []),
        ...(line ? [logClue(service, line)] : []),
        ...(symptom ? [metricClue(service, symptom, 'It began when the certificate ended.')] : []),
      ],
    };
  },
  remedies: (suspect) => {
    const service = suspect.node.name;
    return [
      {
        title: `Renew the certificate of ${service}`,
        description: 'Issue a new one, and have it loaded.',
        category: 'immediate',
        steps: [
          {
            title: 'Look at the certificate that is served',
            type: 'command',
            content: `openssl s_client -connect ${service}:443 -servername ${service} </dev/null | openssl x509 -noout -enddate`,
            help: 'If a renewed one lies on disk, it was only not loaded: go on with the restart.',
            required: true,
          },
          {
            title: 'Renew it',
            type: 'command',
            content: `kubectl delete secret ${service}-tls && kubectl get certificate ${service} --watch`,
            help: 'The certificate manager issues a new one within a minute.',
            required: true,
          },
          {
            title: `Restart ${service} so that it is loaded`,
            type: 'command',
            content: `kubectl rollout restart deployment/${service}`,
            help: 'Not needed where certificates are reloaded by themselves.',
            required: false,
          },
          {
            title: 'Confirm that callers connect',
            type: 'check',
            content: `No handshake errors in the logs of ${service}, and its traffic is back at its level.`,
            help: 'Clients that remember failed connections may need a minute.',
            required: true,
          },
        ],
      },
      {
        title: 'Renew certificates by themselves',
        description: 'The renewal did not run, or failed unseen.',
        category: 'follow_up',
        steps: [
          {
            title: 'Find out why it was not renewed',
            type: 'check',
            content: `The events of the certificate of ${service} in the last 30 days.`,
            help: 'A failed challenge is the usual reason.',
            required: true,
          },
          {
            title: 'Alert two weeks before the end',
            type: 'info',
            content: 'An alert on the time that is left for every certificate.',
            help: 'The metric exists: it was read in this investigation.',
            required: false,
          },
        ],
      },
    ];
  },
};
