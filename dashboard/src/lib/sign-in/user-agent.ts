// Names of browsers and systems for people, from the User-Agent of a session.
const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(Headless)?Chrom(e|ium)\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const nameIn = (names: typeof browsers, agent: string) =>
  names.find(([pattern]) => pattern.test(agent))?.[1]

/** The browser and its system, or null if either is unknown, as for a program. */
export function browserOf(agent: string): { browser: string; system: string } | null {
  const browser = nameIn(browsers, agent)
  const system = nameIn(systems, agent)
  return browser === undefined || system === undefined ? null : { browser, system }
}
