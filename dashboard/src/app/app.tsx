// Root component: the pages before the log-in, apart from those after it.
import type { ReactNode } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'
import { NoSession } from '../components/no-session.tsx'
import { PartPlace } from '../components/part-place.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { lazyPart } from '../lib/parts/lazy-part.ts'
import { failedLinkPath, logInPath, nextPath, operatorPath, routes } from '../lib/routes.ts'
import { readSession, useSession } from '../lib/session.ts'
import LogInPage from '../pages/log-in.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { SandboxBand } from './sandbox-band.tsx'

const Shell = lazyPart(() => import('./shell.tsx'))
const OperatorShell = lazyPart(() => import('./operator/operator-shell.tsx'))
const MailboxPage = lazyPart(() => import('../pages/mailbox.tsx'))

/** Pages that need no session. */
const openPages = [
  { path: routes.signUp, component: lazyPart(() => import('../pages/sign-up.tsx')) },
  {
    path: routes.forgottenPassword,
    component: lazyPart(() => import('../pages/forgotten-password.tsx')),
  },
  { path: routes.verifySignUp, component: lazyPart(() => import('../pages/verify-sign-up.tsx')) },
  {
    path: routes.accountClosed,
    component: lazyPart(() => import('../pages/account/account-closed.tsx')),
  },
  { path: routes.sso, component: lazyPart(() => import('../pages/sso/sso.tsx')) },
] as const

export function App() {
  return (
    <ErrorBoundary>
      <SandboxBand />
      <Router base="/dashboard">
        <PartPlace isPage skeleton={<Skeleton />}>
          <Switch>
            {openPages.map((page) => (
              <Route key={page.path} {...page} />
            ))}
            <Route path={`${operatorPath}/*?`} component={OperatorShell} />
            <Route component={Pages} />
          </Switch>
        </PartPlace>
      </Router>
    </ErrorBoundary>
  )
}

function Pages() {
  const session = useSession()
  switch (session.state) {
    case 'unknown':
      return <Skeleton />
    case 'failed':
      return <NoSession error={session.error} read={readSession} />
    case 'logged_out':
      return <LoggedOut />
    case 'logged_in':
      return (
        <LoggedIn>
          <Shell account={session.account} />
        </LoggedIn>
      )
  }
}

/**
 * A page that needs an account leads to the log-in, and from there back with the token of its link.
 */
function LoggedOut() {
  const [path] = useLocation()
  const search = useSearch()
  return (
    <Switch>
      <Route path={routes.logIn} component={LogInPage} />
      <Route path={routes.mailbox}>
        <main className="mx-auto max-w-2xl px-4 py-8 md:py-12">
          <MailboxPage />
        </main>
      </Route>
      <Route>
        <Redirect to={logInPath(search ? `${path}?${search}` : path) + location.hash} replace />
      </Route>
    </Switch>
  )
}

function LoggedIn({ children }: { children: ReactNode }) {
  const search = useSearch()
  return (
    <Switch>
      <Route path={routes.logIn}>
        <Redirect to={failedLinkPath(search) ?? nextPath(search) + location.hash} replace />
      </Route>
      <Route>{children}</Route>
    </Switch>
  )
}
