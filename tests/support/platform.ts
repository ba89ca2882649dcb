// JSON over HTTP for black-box tests, status included.
export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, text otherwise. */
  readonly body: Body;
}

export class Platform {
  constructor(readonly url: string) {}

  async call<Body = any>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) as Body };
  }

  /** @throws for a status of 400 or more. */
  async json<Body = any>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async thread(): Promise<string> {
    return (await this.json('POST', '/threads', {})).thread_id as string;
  }
  run(threadId: string, graph: string, body: object): Promise<any> {
    return this.json('POST', `/threads/${threadId}/runs`, { assistant_id: graph, ...body });
  }
  wait(threadId: string, graph: string, body: object): Promise<any> {
    return this.json('POST', `/threads/${threadId}/runs/wait`, { assistant_id: graph, ...body });
  }
  state(threadId: string): Promise<any> {
    return this.json('GET', `/threads/${threadId}/state`);
  }
  join(threadId: string, runId: string): Promise<any> {
    return this.json('GET', `/threads/${threadId}/runs/${runId}/join`);
  }
  getRun(threadId: string, runId: string): Promise<any> {
    return this.json('GET', `/threads/${threadId}/runs/${runId}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
