package trace

// Helios is the layout of the logs of SenseTime's Helios clusters: jobs need GPUs, those without
// one are skipped, and the virtual cluster is the class.
// Source: the description of github.com/S-Lab-System-Group/HeliosData.
func Helios() CSV {
	return CSV{Arrival: "submit_time", Servers: "gpu_num", Service: "duration", Start: "start_time", End: "end_time",
		Wait: "queue", Class: "vc", User: "user", Times: Timestamps, SkipNone: true}
}

// Acme is the layout of the logs of Shanghai AI Lab's Acme clusters, Seren and Kalos: jobs need
// GPUs, those without one are skipped, and the type of workload is the class. In Kalos the column
// duration has the wait in it, so that service times are End - Start, and Adjusted counts the
// difference.
// Source: the description of github.com/InternLM/AcmeTrace.
func Acme() CSV {
	return CSV{Arrival: "submit_time", Servers: "gpu_num", Service: "duration", Start: "start_time", End: "end_time",
		Wait: "queue", Class: "type", User: "user", Times: Timestamps, SkipNone: true}
}

// AlibabaGPU2023 is the layout of the pods of Alibaba's GPU cluster of 2023 (openb): times in
// seconds, units of "cpu" and "gres/gpu", where a part of a GPU counts as one, and the quality of
// service is the class.
// Source: cluster-trace-gpu-v2023 of github.com/alibaba/clusterdata.
func AlibabaGPU2023() CSV {
	return CSV{Arrival: "creation_time", Start: "scheduled_time", End: "deletion_time", Class: "qos",
		Types: []CSVType{{Name: "gres/gpu", Column: "num_gpu"}, {Name: "cpu", Column: "cpu_milli", Per: 1000}}, SkipNone: true}
}
