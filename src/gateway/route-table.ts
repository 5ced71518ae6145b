// Which methods each path has, gathered while routes are registered: the difference between 404 and 405.

interface RegisteredRoute {
  readonly url: string;
  readonly method: string | string[];
}

interface Row {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

export class RouteTable {
  readonly #rows = new Map<string, Row>();

  /** Takes a route in the router's own notation: `:name` is one step, `*` any rest. */
  add(route: RegisteredRoute): void {
    const row = this.#rows.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set<string>() };
    for (const method of [route.method].flat()) row.methods.add(method);
    this.#rows.set(route.url, row);
  }

  /**
   * @param url with or without a query
   * @returns the methods as `Allow` names them; null when no route has this path
   */
  methodsOf(url: string): string | null {
    const path = url.replace(/[?#].*$/s, '');
    const methods = new Set<string>();
    for (const row of this.#rows.values()) {
      if (row.pattern.test(path)) for (const method of row.methods) methods.add(method);
    }
    return methods.size === 0 ? null : [...methods].sort().join(', ');
  }
}

function patternOf(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step === '*') return '.*';
    return step.startsWith(':') ? '[^/]+' : step.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${steps.join('/')}$`);
}
