// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_TRACE_READER_HPP
#define MUSTER_REPLAY_TRACE_READER_HPP

// Gang traces and node lists from CSV, recognised by their header.
//
//   cluster,submit_s,duration_s,workers,gpus_per_worker                    Microsoft's ITP clusters
//   submit_s,duration_s,workers,gpus_per_worker,cpus_total,user,status     Helios, cluster Venus
//   node,cpu_milli,memory_mib,gpus,gpu_model                               Alibaba's openb nodes
//
// Jobs are ordered by submit_s over all clusters (equal times keep the order of the file) and counted from the
// first. A job without GPUs (gpus_per_worker 0) is left out and counted: it competes for none of the capacity
// that is replayed. A node without GPUs is left out likewise.

#include "csv_reader.hpp"
#include "trace.hpp"

#include <string>

namespace replay {

[[nodiscard]] trace read_trace(const csv_table& table, const std::string& name);
[[nodiscard]] node_list read_nodes(const csv_table& table);

}  // namespace replay

#endif
