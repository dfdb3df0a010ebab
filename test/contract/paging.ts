import { Page, type TestService, testService } from '../service/support.ts';

/** The numbers on the first page (of 100) that a query finds. */
export async function numbers(service: TestService, query: string): Promise<number[]> {
  return Page.parse((await service.get(`/issues?limit=100&${query}`)).body).data.map(({ number }) => number);
}

/** A service with so many issues, every third of them in staging. */
export async function filled(count: number): Promise<TestService> {
  const service = await testService();
  for (let number = 1; number <= count; number++) {
    await service.create({
      title: `Issue ${number}`,
      environment: number % 3 === 0 ? 'staging' : 'production',
    });
  }
  return service;
}

interface Way {
  query: string;
  parameter: 'startingAfter' | 'endingBefore';
  from?: string | undefined;
  /** Done after each page. */
  meanwhile?: (() => Promise<unknown>) | undefined;
}

/** The numbers of the issues on a way through the list, newest first, until `has_more` says that it ends. */
export async function walk(service: TestService, way: Way): Promise<number[]> {
  const visited: number[] = [];
  let cursor = way.from;
  for (;;) {
    const at = cursor === undefined ? '' : `&${way.parameter}=${cursor}`;
    const page = Page.parse((await service.get(`/issues?${way.query}${at}`)).body);
    const found = page.data.map(({ number }) => number);
    if (found.length === 0 && visited.length > 0) throw new Error('has_more promised a page that is empty');
    if (way.parameter === 'startingAfter') visited.push(...found);
    else visited.unshift(...found);
    if (!page.has_more) return visited;
    cursor = way.parameter === 'startingAfter' ? page.after : page.before;
    await way.meanwhile?.();
  }
}
