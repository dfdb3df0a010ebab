interface Page {
  /** Below the folder that is configured. */
  path: string;
  /** Where people read it; `null` for a file. */
  url: string | null;
  text: string;
}

export interface Pages {
  pages: Page[];
  /** What was left out, in words. */
  problems: string[];
}

/** Where runbooks are kept. */
export interface Source {
  /** For people: a path, or the repository. */
  name: string;
  /** @throws TrackerError in words for people */
  read(): Promise<Pages>;
}

/** Of a source with more, the first are read. */
const MOST_PAGES = 300;

/** Whether a file is a page: Markdown, and neither hidden nor in a hidden folder. */
export function isPage(path: string): boolean {
  return /\.(?:md|markdown)$/iu.test(path) && !/(?:^|\/)\./u.test(path);
}

/** The first pages by name, and a sentence about the others. */
export function firstPages<T extends { path: string }>(
  all: readonly T[],
): { pages: T[]; problems: string[] } {
  const sorted = [...all].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    pages: sorted.slice(0, MOST_PAGES),
    problems:
      sorted.length > MOST_PAGES
        ? [`${sorted.length} pages are there, and the first ${MOST_PAGES} by name are read`]
        : [],
  };
}
