import { z } from 'zod';
import { filesBelow, projectFile, projectRoot } from '../support/files.ts';

const QuestionSet = z.strictObject({
  /** Who wrote them. */
  source: z.string(),
  licence: z.string(),
  /** Whether the phrases may have been changed for one of them. */
  tuned: z.boolean(),
  /** Whether a cluster is connected where they are asked. */
  cluster: z.boolean(),
  services: z.array(z.string()),
  /** A question, and what answers it: tools, or `tool:aspect`. */
  questions: z.array(z.tuple([z.string()], z.string())),
});

export interface Labelled {
  question: string;
  services: readonly string[];
  accept: readonly string[];
  tuned: boolean;
}

/** A name by its shape, where a set names no services; what stands after `namespace` is none. */
const NAME = /(?<!namespace\s)(?<![\w-])[a-z]+(?:-[a-z0-9]+)+(?!\s+namespace)/gu;

export function labelled(): Labelled[] {
  return filesBelow(`${projectRoot}test/bench/questions`, (path) => path.endsWith('.json')).flatMap(
    (path) => {
      const set = QuestionSet.parse(JSON.parse(projectFile(`test/bench/questions/${path}`)));
      return set.questions.map(([question, ...accept]) => ({
        question,
        accept,
        tuned: set.tuned,
        services: set.services.length > 0 ? set.services : [...new Set(question.match(NAME) ?? [])],
      }));
    },
  );
}
