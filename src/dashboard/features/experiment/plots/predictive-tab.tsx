/** Predictive checks: the data next to what the model generates in their place. */
import { useQuery } from '@tanstack/react-query';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { findPair, priorFlagOf, runArrays } from '../../../../posterior/predictive/pairing.ts';
import { useClient } from '../../../objects/use-client.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import { PageSkeleton } from '../../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../../ui/query-problem.tsx';
import classes from '../run/experiment.module.css';
import { NoDraws } from '../run/no-draws.tsx';
import type { TabProps } from '../run/tab-props.ts';
import { type ObservedData, observedQueryOptions } from './observed-data.ts';
import own from './predictive.module.css';
import { PredictiveCards } from './predictive-cards.tsx';
import { usePredictiveChoice } from './predictive-choice.ts';
import { outcomeOf, PredictiveTools } from './predictive-tools.tsx';
import { PriorPredictive } from './prior-predictive.tsx';

export function PredictiveTab(props: TabProps) {
  const { live } = props;
  const client = useClient();
  const query = useQuery(observedQueryOptions(client, live.experiment.short_id, live.access));
  const rows = live.summary?.variables ?? [];
  if (rows.length === 0) return <NoDraws live={live} />;
  if (query.isError) return <QueryProblem query={query} what="The data" />;
  if (query.data === undefined) return <PageSkeleton />;
  if (query.data === null) return <NoData isShare={live.access.shareId !== undefined} />;
  return <Checks {...props} rows={rows} data={query.data} />;
}

function NoData({ isShare }: { isShare: boolean }) {
  return (
    <p className={classes.empty}>
      {isShare
        ? 'This share does not include the data, which predictive checks compare with what the model generates.'
        : 'This run has no data on this server. Predictive checks compare them with what the model generates.'}
    </p>
  );
}

interface ChecksProps extends TabProps {
  readonly rows: readonly SummaryRow[];
  readonly data: ObservedData;
}

function Checks({ live, search, onSearchChange, rows, data }: ChecksProps) {
  const isShare = live.access.shareId !== undefined;
  const { choice, choose } = usePredictiveChoice(
    live.experiment,
    isShare,
    search.checks,
    (checks) => onSearchChange({ checks }),
  );
  const variables = rows.map(({ variable }) => variable);
  const pair = findPair(variables, data.variables, choice);
  const flag = priorFlagOf(data.variables);
  const arrays = runArrays(variables);
  const outcome = pair === null ? 'continuous' : outcomeOf(pair, rows, choice);
  const scope = { live, data, choice, pair, arrays, outcome };
  return (
    <section aria-label="Predictive checks" className={classes.sections}>
      <div className={own.checks}>
        <div className={classes.toolbar}>
          <h2 className={classes.sectionTitle}>
            {flag?.isSet === true ? 'Prior predictive checks' : 'Posterior predictive checks'}
          </h2>
          <HelpLink topic="predictive" of="predictive checks" />
        </div>
        {flag?.isSet === true && (
          <p className={classes.dim}>
            <code>{flag.name}</code> is 1 in the data: these draws are from the prior alone. The
            generated data should cover what is possible, not resemble the data.
          </p>
        )}
        <PredictiveTools {...scope} onChoose={choose} />
        {pair === null ? (
          <NoPair hasArrays={arrays.length > 0} />
        ) : (
          <PredictiveCards {...scope} pair={pair} rows={rows} isPrior={flag?.isSet === true} />
        )}
      </div>
      {!isShare && <PriorPredictive live={live} rows={rows} flag={flag} text={data.text} />}
    </section>
  );
}

function NoPair({ hasArrays }: { hasArrays: boolean }) {
  return (
    <div className={classes.empty}>
      <p>
        No variable of this run is named like replicated data (<code>y_rep</code> for the data{' '}
        <code>y</code>).{hasArrays && ' Choose above what to compare, or'} generate one value for
        each observation in the program:
      </p>
      <pre className={own.snippet}>
        {`generated quantities {
  array[N] real y_rep = normal_rng(mu, sigma);
}`}
      </pre>
      <p>
        with the distribution that the model gives <code>y</code>.
      </p>
    </div>
  );
}
