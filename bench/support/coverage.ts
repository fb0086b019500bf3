// V8's precise coverage: lists our source files in which a piece of work called a function.
import { Session } from 'node:inspector/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root } from './programs.ts'

const source = pathToFileURL(join(root, 'src') + sep).href

export type Coverage = {
  /** The files of src/ that the work enters, except generated ones. */
  entered: (work: () => Promise<void>) => Promise<Set<string>>
  close: () => void
}

export async function openCoverage(): Promise<Coverage> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = async () => (await session.post('Profiler.takePreciseCoverage')).result
  return {
    async entered(work) {
      // Taking the counts resets them.
      await take()
      await work()
      const scripts = await take()
      const own = scripts.filter(
        ({ url, functions }) =>
          url.startsWith(source) &&
          !url.endsWith('.gen.ts') &&
          functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0),
      )
      return new Set(own.map(({ url }) => relative(root, fileURLToPath(url))))
    },
    close: () => session.disconnect(),
  }
}
