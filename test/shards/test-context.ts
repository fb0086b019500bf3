// Replaces the async hook by which node:test knows in which test code runs with an
// AsyncLocalStorage. The hook follows the creation and the collection of every promise of the
// process, services under test included, and costs a shard an eighth of its processor time.
// Imported before anything that imports node:test, which reads these functions once.
import hooks from 'node:async_hooks'

type Init = (...of: [id: number, type: string, trigger: number, resource: object]) => void

const { AsyncResource, createHook, executionAsyncId } = hooks
const running = new hooks.AsyncLocalStorage<number>()
let init: Init = () => undefined
let fallback: number | undefined

/**
 * Tests that are declared outside of any suite belong to the current one from now on, or to none:
 * modules are evaluated outside of the context that imports them.
 */
export function holdSuite(): void {
  fallback = running.getStore()
}

/** A test is a resource: its callback runs in its scope. */
class Scope extends AsyncResource {
  constructor(...given: ConstructorParameters<typeof AsyncResource>) {
    super(...given)
    init(this.asyncId(), given[0], this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    fn: (this: This, ...args: unknown[]) => Result,
    self?: This,
    ...args: unknown[]
  ): Result {
    const id = this.asyncId()
    // Within, as the resource brings the context of its own creation.
    function run(this: This, ...rest: unknown[]): Result {
      return running.run(id, () => fn.apply(this, rest))
    }
    return super.runInAsyncScope(run, self, ...args)
  }
}

Object.assign(hooks, {
  AsyncResource: Scope,
  executionAsyncId: () => running.getStore() ?? fallback ?? executionAsyncId(),
  createHook: (callbacks: { init: Init }) => {
    init = callbacks.init
    return { enable: () => undefined, disable: () => undefined }
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
