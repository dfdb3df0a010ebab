import type { Format } from '../../format.ts';
import { extractAlarm, extractSubject, extractText } from './alarm.ts';
import { extractBackup } from './backup.ts';
import { extractFinding } from './finding.ts';
import { extractHealth } from './health.ts';

/** What terraform-aws-notify-slack, aws-to-slack and the like make of CloudWatch's and AWS's other notifications. */
export const aws: Format = {
  name: 'aws',
  tool: 'AWS',
  extract: (content) =>
    content.person
      ? null
      : (extractAlarm(content) ??
        extractHealth(content) ??
        extractFinding(content) ??
        extractBackup(content) ??
        extractSubject(content) ??
        extractText(content)),
};
