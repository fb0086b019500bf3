// The dashboard of a service in a real Chromium, for a visitor and for an owner who is logged in.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { buildIfStale } from '../../../dashboard/build.ts'
import { openChromium } from '../../support/chromium.ts'
import type { TestService } from '../../support/service.ts'
import { ours } from '../../support/sign-in.ts'
import { openPath, type View } from './dashboard.ts'
import { type Cookies, type Opened, pagesOf } from './page-pool.ts'

type Login = { email: string; password: string }
type Place = Pick<Opened, 'view' | 'alone'> & { path: string; heading: string }

/** One browser for the file; each page has cookies of its own, and ends with its test. */
export async function openDashboard(registrar: TestService) {
  await buildIfStale()
  // Pages of a sandbox have one origin.
  const origin = `http://localhost:${new URL(registrar.url).port}`
  const site = `${origin}/dashboard`
  const logIns = new Map<string, Promise<Cookies>>()
  const open = pagesOf(await openChromium())

  /** Logs in by a request of the browser, because the log-in page has its own tests. */
  const logIn = async (data: Login) => {
    const context = (await open()).context()
    const answer = await context.request.post(`${origin}/v1/dashboard/login`, {
      data,
      headers: { ...ours, origin },
    })
    assert.equal(answer.status(), 200, await answer.text())
    return await context.cookies()
  }

  return {
    site,
    newVisitor: (view?: View): Promise<Page> => open(view && { view }),
    /** A page of the owner's, who logs in once for the file. */
    async openAs(owner: Login, { path, heading, ...opened }: Place): Promise<Page> {
      const { email, password } = owner
      const cookies = logIns.get(email) ?? logIn({ email, password })
      logIns.set(email, cookies)
      const page = await open({ ...opened, cookies })
      await openPath(page, site + path, heading)
      return page
    },
  }
}
