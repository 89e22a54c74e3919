<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Help</name>
    <message>
        <source>What the figures mean</source>
        <translation>这些数字的含义</translation>
    </message>
    <message>
        <source>Tidemark runs the real training step of your model on a GPU that is not there. PyTorch&apos;s own code decides every allocation; only the arithmetic is left out.</source>
        <translation>Tidemark 在一块并不存在的 GPU 上运行您模型的真实训练步骤。每一次分配都由 PyTorch 自己的代码决定，只是省去了计算。</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Reserved memory and the CUDA context: what nvidia-smi shows. Whether the step fits is decided on it. The context depends on driver and card, so the figure has a band.</source>
        <translation>已保留显存加上 CUDA 上下文：即 nvidia-smi 显示的数值。是否放得下由它决定。上下文取决于驱动和显卡，因此该数值带有范围。</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Segments the caching allocator has taken from the card. Exact for this version of LibTorch.</source>
        <translation>缓存分配器从显卡取得的段。对此版本的 LibTorch 是精确的。</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Bytes of tensors at the peak, as torch.cuda.max_memory_allocated tells. Exact for this version of LibTorch.</source>
        <translation>峰值时张量的字节数，即 torch.cuda.max_memory_allocated 的值。对此版本的 LibTorch 是精确的。</translation>
    </message>
    <message>
        <source>Saved activations</source>
        <translation>保存的激活值</translation>
    </message>
    <message>
        <source>Results of the forward pass that stay until the backward pass has used them. They grow with the batch; checkpointing and lower precision make them smaller.</source>
        <translation>前向传播的结果，保留到反向传播用完为止。它们随批大小增长；激活检查点和较低精度可使其变小。</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Scratch memory of cuDNN and cuBLAS. Asked of the cuDNN on this machine where there is one, otherwise estimated.</source>
        <translation>cuDNN 和 cuBLAS 的临时空间。本机有 cuDNN 时向它查询，否则为估计值。</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>What lives only between two operators.</source>
        <translation>只在两个算子之间存在的内容。</translation>
    </message>
    <message>
        <source>Reading the window</source>
        <translation>如何阅读窗口</translation>
    </message>
    <message>
        <source>Dots in the upper plot are exact runs. Between them the line is dashed: it is interpolated until the exact answer is there.</source>
        <translation>上图中的圆点是精确运行的结果。圆点之间为虚线：在得到精确结果之前是插值。</translation>
    </message>
    <message>
        <source>The red line is the card&apos;s memory, the green one the largest batch that fits, found by exact runs.</source>
        <translation>红线是显卡的显存，绿线是放得下的最大批大小，由精确运行得出。</translation>
    </message>
    <message>
        <source>The lower plot is one step, allocation by allocation. Hover to see the largest tensors, click to find their layer.</source>
        <translation>下图是一个步骤中的每一次分配。悬停可查看最大的张量，单击可找到所属的层。</translation>
    </message>
    <message>
        <source>In the layer table, bold layers hold half of the peak; the mark shows the layer that runs when the peak is reached.</source>
        <translation>层表中加粗的层占峰值的一半；标记表示达到峰值时正在运行的层。</translation>
    </message>
    <message>
        <source>Data reads as zero on the card that is not there. A model that branches on its data takes the branch of zeros; the verdict says how many values were read.</source>
        <translation>在并不存在的显卡上数据读出来是零。按数据分支的模型会走零的分支；结论会说明读取了多少个值。</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Batch slider</source>
        <translation>批大小滑块</translation>
    </message>
    <message>
        <source>One more, one less</source>
        <translation>加一、减一</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Double, halve</source>
        <translation>加倍、减半</translation>
    </message>
    <message>
        <source>Page up, Page down</source>
        <translation>Page Up、Page Down</translation>
    </message>
    <message>
        <source>Smallest, largest of the scale</source>
        <translation>刻度的最小值、最大值</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>Largest that fits</source>
        <translation>放得下的最大值</translation>
    </message>
    <message>
        <source>Double-click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Wheel, + and −</source>
        <translation>滚轮、+ 和 −</translation>
    </message>
    <message>
        <source>Zoom the memory axis</source>
        <translation>缩放显存轴</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Drag, arrow keys</source>
        <translation>拖动、方向键</translation>
    </message>
    <message>
        <source>Zoom to a rectangle</source>
        <translation>缩放到矩形</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Shift+拖动</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Double-click, Home</source>
        <translation>双击、Home</translation>
    </message>
    <message>
        <source>Mark a place and see differences to it</source>
        <translation>标记一处并查看与它的差值</translation>
    </message>
    <message>
        <source>Ctrl+click, M</source>
        <translation>Ctrl+单击、M</translation>
    </message>
    <message>
        <source>Take the mark away</source>
        <translation>取消标记</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Plan for another memory size</source>
        <translation>按另一显存容量规划</translation>
    </message>
    <message>
        <source>Drag the card&apos;s line</source>
        <translation>拖动显卡线</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Tidemark %1&lt;/h3&gt;&lt;p&gt;A planner for the GPU memory of PyTorch training.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Tidemark %1&lt;/h3&gt;&lt;p&gt;PyTorch 训练的 GPU 显存规划工具。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;LibTorch %1</source>
        <translation>&lt;p&gt;LibTorch %1</translation>
    </message>
    <message>
        <source>, cuDNN %1&lt;/p&gt;</source>
        <translation>，cuDNN %1&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;Apache License 2.0. Plots by QCustomPlot (GPL).&lt;/p&gt;</source>
        <translation>&lt;p&gt;Apache License 2.0。绘图使用 QCustomPlot (GPL)。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>About Tidemark</source>
        <translation>关于 Tidemark</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The pages</source>
        <translation>各页面</translation>
    </message>
    <message>
        <source>All tensors that are alive at the peak, or at the moment clicked in the step, by kind, layer, operator, size or source line. The areas at the right show the same to scale; a click finds the layer.</source>
        <translation>峰值时刻（或在步骤图中点选的时刻）存活的全部张量，可按类别、层、算子、大小或源代码行分组。右侧的面积图按比例显示同样的内容，单击可找到对应的层。</translation>
    </message>
    <message>
        <source>Source lines</source>
        <translation>源代码行</translation>
    </message>
    <message>
        <source>What each line of the model&apos;s own code allocates, saves for backward and holds at the peak. A layer chosen in the table marks its lines.</source>
        <translation>模型自身代码的每一行分配了多少、为反向保存了多少、在峰值时占用多少。在层表中选择一层会标出它的代码行。</translation>
    </message>
    <message>
        <source>torchsummary</source>
        <translation>torchsummary</translation>
    </message>
    <message>
        <source>The table and the estimate that torchsummary prints, and beside each of its terms what the step really takes.</source>
        <translation>torchsummary 打印的表格与估算，并在每一项旁边给出步骤的实际占用。</translation>
    </message>
    <message>
        <source>Any axis</source>
        <translation>任意轴</translation>
    </message>
    <message>
        <source>Memory over a sequence length, an image side or another named axis, or over two of them as a map: coloured cells by process memory, a line where the card is full. A click plans that size.</source>
        <translation>显存随序列长度、图像边长或其他命名轴的变化；选择两个轴时显示为热图：单元格按进程显存着色，分界线是显卡装满之处。单击即按该尺寸规划。</translation>
    </message>
    <message>
        <source>Input sets</source>
        <translation>输入组</translation>
    </message>
    <message>
        <source>Several sets of inputs of the same model with what the step takes under each, and the highest. They are saved with the plan.</source>
        <translation>同一模型的多组输入、每组输入下步骤的占用以及其中的最大值。它们随方案一起保存。</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Changes of the settings that would take less, each by an exact run, and what the network itself could do differently, computed from its layers. The curve sets memory against forward operators that run twice, for ever more checkpointed blocks; a click takes that number.</source>
        <translation>能减少占用的设置更改，每项都经过精确运行；以及根据各层计算出的网络结构上的改进。曲线表示随着设检查点的块增多，显存与重复运行的前向算子之间的关系；单击即采用该块数。</translation>
    </message>
    <message>
        <source>On this GPU</source>
        <translation>在此 GPU 上</translation>
    </message>
    <message>
        <source>Runs the step on the card of this machine, in a process of its own, and sets what it took beside the plan. Diamonds in the upper plot are such points; a cross is one that ran out of memory. Calibrating keeps the context of that card for all later plans.</source>
        <translation>在本机显卡上以独立进程运行该步骤，并把实测占用与规划并列。上图中的菱形就是这样的点，叉号表示显存不足。校准会为以后的所有方案保留该显卡的上下文大小。</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Two variants layer by layer, aligned by path: the differences add up to the difference of the peaks. It is there as soon as there are two variants.</source>
        <translation>两个变体按路径对齐、逐层比较：各项差值之和等于峰值之差。有两个变体时即出现此页。</translation>
    </message>
    <message>
        <source>Every card</source>
        <translation>所有显卡</translation>
    </message>
    <message>
        <source>Plan, This plan on every card: the same step on all cards of the catalogue, what each leaves over and its largest batch.</source>
        <translation>“计划”菜单中的“此计划在每块显卡上”：同一步骤在目录中所有显卡上的情况、各自的剩余显存与最大批大小。</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>File, Lay a memory snapshot over the step: what PyTorch recorded on a real card, as a dashed line over the step of the plan where it fits best. Nothing in the file is run.</source>
        <translation>“文件”菜单中的“将显存快照叠加到步骤上”：把 PyTorch 在真实显卡上的记录以虚线叠加在规划步骤上最吻合的位置。文件中的任何内容都不会被执行。</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>What each of several cards takes: one card alone and DistributedDataParallel as exact runs, the rule of thumb and ZeRO as estimates with what they assume. It is there as soon as the settings name two cards or more.</source>
        <translation>多卡训练时每张卡的占用：单卡和 DistributedDataParallel 为精确运行的结果，经验法则和 ZeRO 为估算，并注明其假设。设置中选择两张或更多卡后才会出现。</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Copy the selected rows with their headers</source>
        <translation>复制所选行及其表头</translation>
    </message>
    <message>
        <source>Do what the row says: plan a size, apply advice, find a layer</source>
        <translation>执行该行的操作：规划大小、应用建议、定位层</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Enter、双击</translation>
    </message>
</context>
<context>
    <name>Message</name>
    <message>
        <source>ends in the middle</source>
        <translation>在中途结束</translation>
    </message>
    <message>
        <source>holds a number that cannot be read</source>
        <translation>含有无法读取的数字</translation>
    </message>
    <message>
        <source>holds a number that is too large</source>
        <translation>含有过大的数字</translation>
    </message>
    <message>
        <source>{} {}.</source>
        <translation>{} {}。</translation>
    </message>
</context>
<context>
    <name>PlanFile</name>
    <message>
        <source>This is no Tidemark plan.</source>
        <translation>这不是 Tidemark 计划。</translation>
    </message>
    <message>
        <source>The plan was written by a newer Tidemark (version %1 of the format).</source>
        <translation>该计划由更新的 Tidemark 写出（格式版本 %1）。</translation>
    </message>
    <message>
        <source>The plan has a field of the wrong kind.</source>
        <translation>该计划中有一个字段类型不对。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>The plan has no variants.</source>
        <translation>该方案没有变体。</translation>
    </message>
    <message>
        <source>The plan keeps more of the card free than there is.</source>
        <translation>该方案要求保留的显存超过显卡的容量。</translation>
    </message>
</context>
<context>
    <name>PlotExport</name>
    <message>
        <source>Size of the picture</source>
        <translation>图片大小</translation>
    </message>
    <message>
        <source>A PNG gets %1 × %2 pixels; an SVG can be drawn at any size.</source>
        <translation>PNG 为 %1 × %2 像素；SVG 可按任意大小绘制。</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>恢复默认值</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2 parameters</source>
        <translation>%1，%2 个参数</translation>
    </message>
    <message>
        <source>%1  ·  %2  ·  Tidemark %3</source>
        <translation>%1  ·  %2  ·  Tidemark %3</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Memory against batch size</source>
        <translation>显存与批大小</translation>
    </message>
    <message>
        <source>One training step</source>
        <translation>一个训练步骤</translation>
    </message>
    <message>
        <source>What the peak consists of</source>
        <translation>峰值的组成</translation>
    </message>
    <message>
        <source>%1 compared with %2</source>
        <translation>%1 与 %2 比较</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>What the figures rest on</source>
        <translation>数字的依据</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Areas: allocated memory by kind. Thin line: reserved. Thick line with its band: process memory; dots are exact runs, dashed parts lie between them.</source>
        <translation>面积：按种类的已分配显存。细线：已保留。粗线及其范围：进程显存；圆点为精确运行，虚线位于其间。</translation>
    </message>
    <message>
        <source>Allocated memory after each event of the caching allocator in the steady iteration, at batch %1.</source>
        <translation>稳态迭代中缓存分配器每个事件之后的已分配显存，批大小 %1。</translation>
    </message>
    <message>
        <source>Tidemark %1</source>
        <translation>Tidemark %1</translation>
    </message>
    <message>
        <source>The report cannot be drawn.</source>
        <translation>无法绘制报告。</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Δ, %1</source>
        <translation>Δ，%1</translation>
    </message>
    <message>
        <source>Δ %</source>
        <translation>Δ %</translation>
    </message>
    <message>
        <source>Outside of layers</source>
        <translation>不属于任何层</translation>
    </message>
    <message>
        <source>%1  (added)</source>
        <translation>%1 （新增）</translation>
    </message>
    <message>
        <source>%1  (removed)</source>
        <translation>%1 （移除）</translation>
    </message>
    <message>
        <source>%1  (was %2)</source>
        <translation>%1 （原为 %2）</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>%1, %2 usable</source>
        <translation>%1，可用 %2</translation>
    </message>
    <message>
        <source>Process memory, %1 to %2</source>
        <translation>进程显存，%1 至 %2</translation>
    </message>
    <message>
        <source>Reserved by the allocator</source>
        <translation>分配器已保留</translation>
    </message>
    <message>
        <source>Allocated in tensors</source>
        <translation>张量已分配</translation>
    </message>
    <message>
        <source>Largest batch that fits</source>
        <translation>放得下的最大批大小</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Layers with the largest difference at the peak:</source>
        <translation>峰值时差异最大的层：</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>At peak</source>
        <translation>峰值时</translation>
    </message>
    <message>
        <source>Share, %</source>
        <translation>占比，%</translation>
    </message>
    <message>
        <source>Sizes in %1. A row holds the sum of the layer and all below it.</source>
        <translation>单位为 %1。每行为该层及其下所有层之和。</translation>
    </message>
    <message>
        <source>%1 more layers are left out; export the table as CSV for all.</source>
        <translation>另有 %1 层未列出；导出 CSV 表可得全部。</translation>
    </message>
    <message>
        <source>Allocated and reserved memory come from LibTorch %1 itself, which ran this training step on a described GPU: its operators, autograd, optimizer and caching allocator decided every allocation. They are exact for this version and these settings.</source>
        <translation>已分配和已保留显存来自 LibTorch %1 本身，它在一块描述出来的 GPU 上运行了此训练步骤：每次分配都由它的算子、自动求导、优化器和缓存分配器决定。对此版本和这些设置是精确的。</translation>
    </message>
    <message>
        <source>of this machine</source>
        <translation>（本机）</translation>
    </message>
    <message>
        <source>Process memory adds the CUDA context of %1 to %2 (%3). It depends on the driver, hence the band. Whether the step fits is decided on process memory.</source>
        <translation>进程显存另加 CUDA 上下文 %1 至 %2（%3）。它取决于驱动，因此带有范围。是否放得下由进程显存决定。</translation>
    </message>
    <message>
        <source>Convolution workspaces are those that the installed cuDNN reports for this card (%1).</source>
        <translation>卷积工作区取自已安装的 cuDNN 对此显卡的回答（%1）。</translation>
    </message>
    <message>
        <source>Convolution workspaces are estimated, because cuDNN was not asked: they widen the band.</source>
        <translation>卷积工作区为估计值，因为没有查询 cuDNN：它们使范围变宽。</translation>
    </message>
    <message>
        <source>Convolution workspaces are left out.</source>
        <translation>未计入卷积工作区。</translation>
    </message>
    <message>
        <source>Data is zero on the described GPU. Models that branch on their data take the branch of zeros.</source>
        <translation>在描述出来的 GPU 上数据为零。按数据分支的模型会走零的分支。</translation>
    </message>
    <message>
        <source>This step read %1 values back from the device, all zero.</source>
        <translation>此步骤从设备读回 %1 个值，均为零。</translation>
    </message>
    <message>
        <source>What would take less</source>
        <translation>怎样占用更少</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>What else changes</source>
        <translation>其他影响</translation>
    </message>
    <message>
        <source>Each change by itself was measured as an exact run.</source>
        <translation>每项更改都单独以精确运行测量。</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Convolution workspaces are estimated, because cuDNN was not asked (%1): they widen the band.</source>
        <translation>卷积工作区为估算值，因为没有询问 cuDNN（%1）：它们会放宽范围。</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>Image classification, 25.6 M parameters</source>
        <translation>图像分类，25.6 M 个参数</translation>
    </message>
    <message>
        <source>Vision transformer, 86.6 M parameters</source>
        <translation>视觉 Transformer，86.6 M 个参数</translation>
    </message>
    <message>
        <source>Language model with a sequence axis</source>
        <translation>带序列轴的语言模型</translation>
    </message>
    <message>
        <source>Small network that shrinks the image at once</source>
        <translation>一开始就缩小图像的小网络</translation>
    </message>
    <message>
        <source>The same network at full resolution, to compare</source>
        <translation>同一网络保持全分辨率，用于比较</translation>
    </message>
</context>
<context>
    <name>SettingsText</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>all %1 blocks</source>
        <translation>全部 %1 个块</translation>
    </message>
    <message>
        <source>the first %1 of %2 blocks</source>
        <translation>%2 个块中的前 %1 个</translation>
    </message>
    <message>
        <source>every %1th block</source>
        <translation>每第 %1 个块</translation>
    </message>
    <message>
        <source>%1 layers chosen by hand</source>
        <translation>手动选择的 %1 层</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>%1 micro-batches, effective batch %2</source>
        <translation>%1 个微批，有效批大小 %2</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Checkpointing</source>
        <translation>激活检查点</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>zero_grad sets to None</source>
        <translation>zero_grad 置为 None</translation>
    </message>
    <message>
        <source>Clip gradients by norm</source>
        <translation>按范数裁剪梯度</translation>
    </message>
    <message>
        <source>Average of the weights</source>
        <translation>权重平均</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>AMSGrad</source>
        <translation>AMSGrad</translation>
    </message>
    <message>
        <source>TF32 in matrix products</source>
        <translation>矩阵乘法使用 TF32</translation>
    </message>
    <message>
        <source>TF32 in cuDNN</source>
        <translation>cuDNN 使用 TF32</translation>
    </message>
    <message>
        <source>cuDNN benchmark</source>
        <translation>cuDNN benchmark</translation>
    </message>
    <message>
        <source>cuDNN deterministic</source>
        <translation>cuDNN deterministic</translation>
    </message>
    <message>
        <source>Allocator</source>
        <translation>分配器</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>%1 modules</source>
        <translation>%1 个模块</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>one card</source>
        <translation>单卡</translation>
    </message>
    <message>
        <source>%1 cards</source>
        <translation>%1 张卡</translation>
    </message>
    <message>
        <source>buckets of %1 MiB</source>
        <translation>桶大小 %1 MiB</translation>
    </message>
    <message>
        <source>buffers not broadcast</source>
        <translation>不广播缓冲区</translation>
    </message>
    <message>
        <source>every micro-batch synchronised</source>
        <translation>每个微批次都同步</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
</context>
<context>
    <name>Text</name>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Single (fp32)</source>
        <translation>单精度 (fp32)</translation>
    </message>
    <message>
        <source>Mixed, fp16 (AMP)</source>
        <translation>混合 fp16 (AMP)</translation>
    </message>
    <message>
        <source>Mixed, bf16 (AMP)</source>
        <translation>混合 bf16 (AMP)</translation>
    </message>
    <message>
        <source>Half (pure fp16)</source>
        <translation>纯半精度 fp16</translation>
    </message>
    <message>
        <source>Half (pure bf16)</source>
        <translation>纯半精度 bf16</translation>
    </message>
    <message>
        <source>Everything in 32-bit floating point.</source>
        <translation>全部使用 32 位浮点数。</translation>
    </message>
    <message>
        <source>Weights stay in fp32; autocast runs layers in fp16, with a gradient scaler.</source>
        <translation>权重保持 fp32；autocast 以 fp16 运行各层，并使用梯度缩放。</translation>
    </message>
    <message>
        <source>Weights stay in fp32; autocast runs layers in bf16, no scaler needed.</source>
        <translation>权重保持 fp32；autocast 以 bf16 运行各层，无需缩放。</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer state in fp16.</source>
        <translation>权重、梯度和优化器状态均为 fp16。</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer state in bf16.</source>
        <translation>权重、梯度和优化器状态均为 bf16。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>SGD with momentum</source>
        <translation>带动量的 SGD</translation>
    </message>
    <message>
        <source>SGD with Nesterov momentum</source>
        <translation>Nesterov 动量 SGD</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>RMSprop</source>
        <translation>RMSprop</translation>
    </message>
    <message>
        <source>Adagrad</source>
        <translation>Adagrad</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Forward and backward only; no update.</source>
        <translation>只有前向和反向，不更新。</translation>
    </message>
    <message>
        <source>Keeps nothing per parameter.</source>
        <translation>每个参数不保存任何内容。</translation>
    </message>
    <message>
        <source>Keeps one value per parameter: the momentum.</source>
        <translation>每个参数保存一个值：动量。</translation>
    </message>
    <message>
        <source>Keeps two values per parameter: mean and variance.</source>
        <translation>每个参数保存两个值：均值和方差。</translation>
    </message>
    <message>
        <source>Keeps one value per parameter: the mean square.</source>
        <translation>每个参数保存一个值：均方。</translation>
    </message>
    <message>
        <source>Keeps one value per parameter: the sum of squares.</source>
        <translation>每个参数保存一个值：平方和。</translation>
    </message>
    <message>
        <source>Keeps the bytes per parameter that you state.</source>
        <translation>每个参数保存您指定的字节数。</translation>
    </message>
    <message>
        <source>Default (foreach)</source>
        <translation>默认 (foreach)</translation>
    </message>
    <message>
        <source>foreach</source>
        <translation>foreach</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>fused</translation>
    </message>
    <message>
        <source>for-loop</source>
        <translation>for-loop</translation>
    </message>
    <message>
        <source>What torch.optim picks on a GPU: all parameters at once.</source>
        <translation>torch.optim 在 GPU 上的默认选择：一次处理全部参数。</translation>
    </message>
    <message>
        <source>All parameters at once; needs a copy as large as the weights.</source>
        <translation>一次处理全部参数；需要与权重一样大的副本。</translation>
    </message>
    <message>
        <source>One kernel for the whole update; needs no copies.</source>
        <translation>整个更新用一个内核；不需要副本。</translation>
    </message>
    <message>
        <source>One parameter after another; small copies, slower.</source>
        <translation>逐个参数处理；副本小，速度较慢。</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Inference</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Evaluation during training</source>
        <translation>训练期间的评估</translation>
    </message>
    <message>
        <source>Training and evaluation</source>
        <translation>训练与评估</translation>
    </message>
    <message>
        <source>Forward, loss, backward and optimizer step.</source>
        <translation>前向、损失、反向和优化器步骤。</translation>
    </message>
    <message>
        <source>Forward pass alone under inference mode.</source>
        <translation>推理模式下只有前向传播。</translation>
    </message>
    <message>
        <source>Forward pass while the optimizer state stays on the card.</source>
        <translation>优化器状态留在显卡上时的前向传播。</translation>
    </message>
    <message>
        <source>The larger of a training step and an evaluation step.</source>
        <translation>训练步骤与评估步骤中较大者。</translation>
    </message>
    <message>
        <source>Asked of cuDNN</source>
        <translation>查询 cuDNN</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>不计入</translation>
    </message>
    <message>
        <source>Convolution scratch as the installed cuDNN reports it for this card.</source>
        <translation>已安装的 cuDNN 为此显卡报告的卷积临时空间。</translation>
    </message>
    <message>
        <source>Convolution scratch from a rule; adds uncertainty.</source>
        <translation>按规则估计的卷积临时空间；增加不确定性。</translation>
    </message>
    <message>
        <source>No convolution scratch: tensors only.</source>
        <translation>没有卷积临时空间：仅张量。</translation>
    </message>
    <message>
        <source>Cross entropy</source>
        <translation>交叉熵</translation>
    </message>
    <message>
        <source>Binary cross entropy with logits</source>
        <translation>二元交叉熵</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>Mean of the output</source>
        <translation>输出的均值</translation>
    </message>
    <message>
        <source>The model returns its loss</source>
        <translation>模型自身返回损失</translation>
    </message>
    <message>
        <source>Log-softmax of the output against integer classes.</source>
        <translation>对输出做 log-softmax，与整数类别比较。</translation>
    </message>
    <message>
        <source>A target as large as the output.</source>
        <translation>目标与输出一样大。</translation>
    </message>
    <message>
        <source>No target; the smallest loss there is.</source>
        <translation>没有目标；最小的损失。</translation>
    </message>
    <message>
        <source>The first output is taken as the loss.</source>
        <translation>以第一个输出作为损失。</translation>
    </message>
</context>
<context>
    <name>ThemeText</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>Saved activations</source>
        <translation>保存的激活值</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>Parameters of the model, and their copies for mixed precision</source>
        <translation>模型的参数及其混合精度副本</translation>
    </message>
    <message>
        <source>What the model keeps beside its parameters, such as running means</source>
        <translation>模型在参数之外保存的内容，例如滑动均值</translation>
    </message>
    <message>
        <source>One gradient for each trainable parameter</source>
        <translation>每个可训练参数一个梯度</translation>
    </message>
    <message>
        <source>Momentum and variance that the optimizer keeps for each parameter</source>
        <translation>优化器为每个参数保存的动量和方差</translation>
    </message>
    <message>
        <source>Results of the forward pass that the backward pass needs</source>
        <translation>反向传播所需的前向传播结果</translation>
    </message>
    <message>
        <source>The batch itself and its targets</source>
        <translation>批数据本身及其目标</translation>
    </message>
    <message>
        <source>Scratch memory of cuDNN and cuBLAS</source>
        <translation>cuDNN 和 cuBLAS 的临时空间</translation>
    </message>
    <message>
        <source>What lives only for a moment: results between two operators</source>
        <translation>只存在片刻的内容：两个算子之间的结果</translation>
    </message>
    <message>
        <source>Gradient buckets</source>
        <translation>梯度桶</translation>
    </message>
    <message>
        <source>Copies of the gradients that DistributedDataParallel sends between cards</source>
        <translation>DistributedDataParallel 在显卡之间传送的梯度副本</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>an %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>a %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>; batch %1 fits, larger ones were not tried</source>
        <translation>；批大小 %1 放得下，未尝试更大的</translation>
    </message>
    <message>
        <source>; largest batch %1</source>
        <translation>；最大批大小 %1</translation>
    </message>
    <message>
        <source>; largest batch %1, though single larger ones fit</source>
        <translation>；最大批大小 %1，但个别更大的批也放得下</translation>
    </message>
    <message>
        <source>; not even batch 1 fits</source>
        <translation>；连批大小 1 也放不下</translation>
    </message>
    <message>
        <source>Fits %1 with %2 to spare</source>
        <translation>%1 放得下，还剩 %2</translation>
    </message>
    <message>
        <source>Just fits %1, because LibTorch gives cached blocks back when it runs out</source>
        <translation>%1 刚好放得下，因为 LibTorch 用尽时会归还缓存块</translation>
    </message>
    <message>
        <source>Probably fits %1 with %2 to spare, but may take up to %3 more</source>
        <translation>%1 很可能放得下，还剩 %2，但可能多占至多 %3</translation>
    </message>
    <message>
        <source>Does not fit %1: %2 too much</source>
        <translation>%1 放不下：超出 %2</translation>
    </message>
    <message>
        <source>Does not fit %1</source>
        <translation>%1 放不下</translation>
    </message>
    <message>
        <source>Process memory %1 of %2</source>
        <translation>进程显存 %1，共 %2</translation>
    </message>
    <message>
        <source>mostly %1 (%2)</source>
        <translation>主要是%1（%2）</translation>
    </message>
    <message>
        <source>peak in %1</source>
        <translation>峰值在%1阶段</translation>
    </message>
    <message>
        <source>peak in %1 at %2</source>
        <translation>峰值在%1阶段的 %2</translation>
    </message>
    <message>
        <source>%1 values read back as zero</source>
        <translation>读回 %1 个值，均为零</translation>
    </message>
</context>
<context>
    <name>tidemark::AdviceView</name>
    <message>
        <source>What would take less</source>
        <translation>怎样占用更少</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Change the settings as the chosen row says; a double click does the same</source>
        <translation>按所选行更改设置；双击效果相同</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Changes that would take less</source>
        <translation>能减少占用的更改</translation>
    </message>
    <message>
        <source>%1 (%2 more forward operators)</source>
        <translation>%1（前向算子增加 %2）</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>≈ %1</source>
        <translation>≈ %1</translation>
    </message>
    <message>
        <source>another network</source>
        <translation>另一网络</translation>
    </message>
    <message>
        <source>Also changes</source>
        <translation>其他变化</translation>
    </message>
</context>
<context>
    <name>tidemark::AxisPage</name>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Axis %1</source>
        <translation>轴 %1</translation>
    </message>
    <message>
        <source>Memory over</source>
        <translation>显存随</translation>
    </message>
    <message>
        <source>First axis</source>
        <translation>第一轴</translation>
    </message>
    <message>
        <source>Second axis</source>
        <translation>第二轴</translation>
    </message>
    <message>
        <source>and</source>
        <translation>与</translation>
    </message>
    <message>
        <source>no second axis</source>
        <translation>无第二轴</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>No input of this model has an axis; name one in the input&apos;s description, as in int64[B,S=128].</source>
        <translation>此模型的输入没有轴；请在输入说明中命名一个，例如 int64[B,S=128]。</translation>
    </message>
    <message>
        <source>process memory; click a cell to plan it</source>
        <translation>进程显存；单击单元格即按其规划</translation>
    </message>
    <message>
        <source>click a point to plan it</source>
        <translation>单击一点即按其规划</translation>
    </message>
    <message>
        <source>%1: no size fits %2</source>
        <translation>%1：没有大小能放入 %2</translation>
    </message>
    <message>
        <source>%1: the model takes no other size than %2</source>
        <translation>%1：模型只接受大小 %2</translation>
    </message>
    <message>
        <source>%1 up to %2 fits %3</source>
        <translation>%1 直到 %2 都能放入 %3</translation>
    </message>
    <message>
        <source>%1: %2 is the largest that fits %3</source>
        <translation>%1：能放入 %3 的最大值为 %2</translation>
    </message>
    <message>
        <source>, in steps of %1</source>
        <translation>，步长 %1</translation>
    </message>
    <message>
        <source>; the model takes no more</source>
        <translation>；模型不接受更大的值</translation>
    </message>
</context>
<context>
    <name>tidemark::CardsDialog</name>
    <message>
        <source>This plan on every card</source>
        <translation>此计划在每块显卡上</translation>
    </message>
    <message>
        <source>Filter cards</source>
        <translation>筛选显卡</translation>
    </message>
    <message>
        <source>Plan for this card</source>
        <translation>为此显卡规划</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Spare</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>最大批大小</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>probably</source>
        <translation>很可能</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>≥ %1</source>
        <translation>≥ %1</translation>
    </message>
    <message>
        <source>%1 of %2 cards planned</source>
        <translation>已规划 %1 / %2 块显卡</translation>
    </message>
    <message>
        <source>Fits %1 of %2 cards</source>
        <translation>%2 块显卡中有 %1 块放得下</translation>
    </message>
</context>
<context>
    <name>tidemark::CheckpointPlot</name>
    <message>
        <source>Memory against recomputation</source>
        <translation>显存与重计算</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n 个块</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) checkpointed</source>
        <translation>
            <numerusform>%n 个块设检查点</numerusform>
        </translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Runs twice</source>
        <translation>运行两次</translation>
    </message>
    <message>
        <source>Operators that run twice, %</source>
        <translation>运行两次的算子，%</translation>
    </message>
</context>
<context>
    <name>tidemark::ComparisonView</name>
    <message>
        <source>Save the comparison as CSV, sizes in bytes</source>
        <translation>将比较保存为 CSV，大小以字节计</translation>
    </message>
    <message>
        <source>Export comparison as CSV</source>
        <translation>将比较导出为 CSV</translation>
    </message>
    <message>
        <source>Layers at the peak</source>
        <translation>各层在峰值时</translation>
    </message>
    <message>
        <source>Layers&apos; saved activations</source>
        <translation>各层保存的激活值</translation>
    </message>
    <message>
        <source>Layers&apos; weights</source>
        <translation>各层的权重</translation>
    </message>
    <message>
        <source>What is compared of each layer</source>
        <translation>比较每层的哪一项</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>The settings are the same.</source>
        <translation>设置相同。</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基准）</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>Outside of layers</source>
        <translation>不属于任何层</translation>
    </message>
    <message>
        <source>%1  (added)</source>
        <translation>%1 （新增）</translation>
    </message>
    <message>
        <source>%1  (removed)</source>
        <translation>%1 （移除）</translation>
    </message>
    <message>
        <source>%1  (was %2)</source>
        <translation>%1 （原为 %2）</translation>
    </message>
    <message>
        <source>Memory at the peak that belongs to no layer</source>
        <translation>峰值时不属于任何层的显存</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>Only in %1</source>
        <translation>仅在 %1 中</translation>
    </message>
    <message>
        <source>Memory at the peak</source>
        <translation>峰值时的显存</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>The sum of the kinds above</source>
        <translation>以上各种类之和</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Segments of the caching allocator</source>
        <translation>缓存分配器的段</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Reserved memory and the CUDA context</source>
        <translation>已保留显存与 CUDA 上下文</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Δ, %1</source>
        <translation>Δ，%1</translation>
    </message>
    <message>
        <source>Δ %</source>
        <translation>Δ %</translation>
    </message>
    <message>
        <source>%1 (bytes)</source>
        <translation>%1（字节）</translation>
    </message>
    <message>
        <source>Δ (bytes)</source>
        <translation>Δ（字节）</translation>
    </message>
</context>
<context>
    <name>tidemark::DataParallelPage</name>
    <message>
        <source>Allocated on each card</source>
        <translation>每张卡上已分配</translation>
    </message>
    <message>
        <source>Plan this way</source>
        <translation>按此方式规划</translation>
    </message>
    <message>
        <source>Change the settings to the chosen way; a double click does the same</source>
        <translation>把设置改为所选方式；双击效果相同</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Beside one card</source>
        <translation>与单卡相比</translation>
    </message>
    <message>
        <source>Where it is from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Ways to train on several cards</source>
        <translation>多卡训练的各种方式</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>测量中……</translation>
    </message>
    <message>
        <source>Choose two cards or more in the settings.</source>
        <translation>请在设置中选择两张或更多卡。</translation>
    </message>
    <message>
        <source>This model has nothing to train.</source>
        <translation>此模型没有可训练的参数。</translation>
    </message>
    <message>
        <source>one of %1 cards; what NCCL keeps for itself is not counted</source>
        <translation>%1 张卡之一；不计 NCCL 自身的占用</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
</context>
<context>
    <name>tidemark::Dispatcher</name>
    <message>
        <source>The worker died (%1) and was started again.</source>
        <translation>工作进程已终止（%1），并已重新启动。</translation>
    </message>
</context>
<context>
    <name>tidemark::EmptyState</name>
    <message>
        <source>No model is open</source>
        <translation>没有打开的模型</translation>
    </message>
    <message>
        <source>Open a model to see what its training step takes</source>
        <translation>打开一个模型，查看其训练步骤占用多少显存</translation>
    </message>
    <message>
        <source>Drop a TorchScript file (.pt) here. Save one with torch.jit.script(model).save(&quot;model.pt&quot;).
No GPU is needed: the step runs on a card that is not there.</source>
        <translation>将 TorchScript 文件 (.pt) 拖放到此处。用 torch.jit.script(model).save(&quot;model.pt&quot;) 保存。
无需 GPU：步骤在一块并不存在的显卡上运行。</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Choose a TorchScript file (Ctrl+O)</source>
        <translation>选择一个 TorchScript 文件 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
</context>
<context>
    <name>tidemark::ErrorBar</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Show the original words behind this message</source>
        <translation>显示此消息背后的原文</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>tidemark::GpuGauge</name>
    <message>
        <source>Memory of this machine&apos;s GPU</source>
        <translation>本机 GPU 的显存</translation>
    </message>
    <message>
        <source>this probe</source>
        <translation>此探针</translation>
    </message>
    <message>
        <source>other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
</context>
<context>
    <name>tidemark::GpuProbe</name>
    <message>
        <source>On this GPU</source>
        <translation>在此 GPU 上</translation>
    </message>
    <message>
        <source>Calibrated: plans for this card now take %1 for the context.</source>
        <translation>已校准：此显卡的计划现在以 %1 作为上下文。</translation>
    </message>
</context>
<context>
    <name>tidemark::GpuProbePanel</name>
    <message>
        <source>Run on this GPU</source>
        <translation>在此 GPU 上运行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Calibrate plans with it</source>
        <translation>用它校准计划</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>规划值</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>文字说明</translation>
    </message>
    <message>
        <source>PyTorch&apos;s counters</source>
        <translation>PyTorch 的计数器</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>freed</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>This batch</source>
        <translation>当前批大小</translation>
    </message>
    <message>
        <source>Quarter, half and all</source>
        <translation>它的四分之一、一半和全部</translation>
    </message>
    <message>
        <source>From 1, doubling</source>
        <translation>从 1 开始加倍</translation>
    </message>
    <message>
        <source>Batches to run</source>
        <translation>要运行的批大小</translation>
    </message>
    <message>
        <source>Keep the context that this card and driver take, for all plans for this card</source>
        <translation>保存此显卡和驱动所占的上下文，用于此显卡的所有计划</translation>
    </message>
    <message>
        <source>Measured beside planned</source>
        <translation>测得值与规划值并列</translation>
    </message>
    <message>
        <source>PyTorch&apos;s memory summary</source>
        <translation>PyTorch 的显存摘要</translation>
    </message>
    <message>
        <source>Looking for a GPU …</source>
        <translation>正在查找 GPU…</translation>
    </message>
    <message>
        <source>%1, driver %2</source>
        <translation>%1，驱动 %2</translation>
    </message>
    <message>
        <source>Run the step of the shown variant on the GPU of this machine and compare it with the plan</source>
        <translation>在本机 GPU 上运行所示方案的步骤，并与计划比较</translation>
    </message>
    <message>
        <source>Running on %1 …</source>
        <translation>正在 %1 上运行…</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>显存不足</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>PyTorch&apos;s counters, batch %1</source>
        <translation>PyTorch 的计数器，批大小 %1</translation>
    </message>
    <message>
        <source>Batch %1: %2</source>
        <translation>批大小 %1：%2</translation>
    </message>
</context>
<context>
    <name>tidemark::HeatMap</name>
    <message>
        <source>Memory over two axes</source>
        <translation>两个轴上的显存</translation>
    </message>
    <message>
        <source>%1 %2, %3 %4</source>
        <translation>%1 %2，%3 %4</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>the line is where the %1 is full</source>
        <translation>线表示 %1 用满之处</translation>
    </message>
</context>
<context>
    <name>tidemark::HintBar</name>
    <message>
        <source>Drag the batch slider, or click into the upper plot: plots, table and verdict follow. Dots are exact runs.</source>
        <translation>拖动批大小滑块，或在上图中单击：图、表和结论随之变化。圆点是精确运行的结果。</translation>
    </message>
    <message>
        <source>Process memory is what nvidia-smi shows, reserved what PyTorch&apos;s allocator keeps, allocated the tensors. F1 explains all three.</source>
        <translation>进程显存是 nvidia-smi 显示的值，已保留是 PyTorch 分配器持有的，已分配是张量。按 F1 查看三者的解释。</translation>
    </message>
    <message>
        <source>The red line is the card. Choose another at the right, or drag the line to another memory size.</source>
        <translation>红线是显卡。在右侧选择另一块，或将红线拖到另一显存容量。</translation>
    </message>
    <message>
        <source>“Duplicate and change” keeps these settings as a variant, to set side by side with others.</source>
        <translation>“复制并修改”将当前设置保存为一个方案，以便与其他方案并排比较。</translation>
    </message>
    <message>
        <source>Right-click a layer to checkpoint it; Ctrl+click into a plot marks a place to measure differences from.</source>
        <translation>右键单击某层可设检查点；在图中 Ctrl+单击可标记一处，用来测量差值。</translation>
    </message>
    <message>
        <source>Hints</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Next hint</source>
        <translation>下一条提示</translation>
    </message>
    <message>
        <source>No more hints</source>
        <translation>不再提示</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Got it</source>
        <translation>知道了</translation>
    </message>
</context>
<context>
    <name>tidemark::InputSets</name>
    <message>
        <source>Add set</source>
        <translation>添加一组</translation>
    </message>
    <message>
        <source>Add a set of inputs, to be changed in its cell</source>
        <translation>添加一组输入，可在单元格中修改</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the chosen set</source>
        <translation>移除所选的一组</translation>
    </message>
    <message>
        <source>Plan this set</source>
        <translation>按此组规划</translation>
    </message>
    <message>
        <source>Make the chosen set the inputs of the step</source>
        <translation>把所选的一组作为步骤的输入</translation>
    </message>
    <message>
        <source>Sets of inputs</source>
        <translation>输入组</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>测量中……</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <source>Highest: row %1</source>
        <translation>最高：第 %1 行</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>the first row is the step itself; double-click a set to change it</source>
        <translation>第一行是步骤本身；双击一组即可修改</translation>
    </message>
    <message>
        <source>add a set to see what the step takes with other shapes</source>
        <translation>添加一组输入，查看其他形状下步骤的占用</translation>
    </message>
    <message>
        <source>A set needs at least one input.</source>
        <translation>一组至少需要一个输入。</translation>
    </message>
</context>
<context>
    <name>tidemark::InsightPages</name>
    <message>
        <source>Source lines</source>
        <translation>源代码行</translation>
    </message>
    <message>
        <source>torchsummary</source>
        <translation>torchsummary</translation>
    </message>
    <message>
        <source>Any axis</source>
        <translation>任意轴</translation>
    </message>
    <message>
        <source>Lay a memory &amp;snapshot over the step…</source>
        <translation>将显存快照叠加到步骤上(&amp;S)…</translation>
    </message>
    <message>
        <source>Open what torch.cuda.memory._dump_snapshot() wrote; nothing in it is run</source>
        <translation>打开 torch.cuda.memory._dump_snapshot() 写出的文件；其中的内容不会被执行</translation>
    </message>
    <message>
        <source>Remove the snapshot</source>
        <translation>移除快照</translation>
    </message>
    <message>
        <source>Memory s&amp;napshot of the step…</source>
        <translation>步骤的显存快照(&amp;N)…</translation>
    </message>
    <message>
        <source>Write the step as a file that pytorch.org/memory_viz opens</source>
        <translation>将步骤写成 pytorch.org/memory_viz 可打开的文件</translation>
    </message>
    <message>
        <source>Memory snapshots (*.pickle *.pkl);;All files (*)</source>
        <translation>显存快照 (*.pickle *.pkl);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open memory snapshot</source>
        <translation>打开显存快照</translation>
    </message>
    <message>
        <source>Write memory snapshot</source>
        <translation>写出显存快照</translation>
    </message>
    <message>
        <source>%1: %2 events, peak %3. Its step that fits best lies over the plan&apos;s as a dashed line.</source>
        <translation>%1：%2 个事件，峰值 %3。其中最吻合的步骤以虚线叠加在计划之上。</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Input sets</source>
        <translation>输入组</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>测量中……</translation>
    </message>
    <message>
        <source>no change of the settings takes less memory</source>
        <translation>没有能减少显存的设置更改</translation>
    </message>
    <message>
        <source>each an exact run; double-click one to apply it</source>
        <translation>每项均为精确运行；双击即可应用</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
</context>
<context>
    <name>tidemark::LayerTreeModel</name>
    <message>
        <source>Name of the module</source>
        <translation>模块名称</translation>
    </message>
    <message>
        <source>Class of the module</source>
        <translation>模块的类</translation>
    </message>
    <message>
        <source>Type and shape of what the module returns</source>
        <translation>模块返回值的类型和形状</translation>
    </message>
    <message>
        <source>Number of parameters; shared ones count once</source>
        <translation>参数个数；共享的只计一次</translation>
    </message>
    <message>
        <source>Bytes of the parameters in the model file&apos;s type</source>
        <translation>按模型文件中的类型计的参数字节数</translation>
    </message>
    <message>
        <source>What the forward pass keeps for the backward pass: the part that grows with the batch</source>
        <translation>前向传播为反向传播保存的内容：随批大小增长的部分</translation>
    </message>
    <message>
        <source>Gradients of the parameters</source>
        <translation>参数的梯度</translation>
    </message>
    <message>
        <source>What the optimizer keeps for the parameters</source>
        <translation>优化器为参数保存的内容</translation>
    </message>
    <message>
        <source>Most that the forward pass allocated and freed again</source>
        <translation>前向传播分配后又释放的最大值</translation>
    </message>
    <message>
        <source>Most that the backward pass allocated and freed again</source>
        <translation>反向传播分配后又释放的最大值</translation>
    </message>
    <message>
        <source>Bytes of this layer that are alive at the peak</source>
        <translation>峰值时此层仍存活的字节数</translation>
    </message>
    <message>
        <source>Share of the allocated peak that belongs to this layer</source>
        <translation>已分配峰值中属于此层的比例</translation>
    </message>
    <message>
        <source>How often the forward pass calls the module</source>
        <translation>前向传播调用该模块的次数</translation>
    </message>
    <message>
        <source>Multiply-accumulate operations of one forward pass</source>
        <translation>一次前向传播的乘加运算次数</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Saved activations</source>
        <translation>保存的激活值</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>Forward temp</source>
        <translation>前向临时</translation>
    </message>
    <message>
        <source>Backward temp</source>
        <translation>反向临时</translation>
    </message>
    <message>
        <source>Live at peak</source>
        <translation>峰值时存活</translation>
    </message>
    <message>
        <source>% of peak</source>
        <translation>占峰值 %</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MACs</translation>
    </message>
    <message>
        <source>%1 of %2: %3 (%4)</source>
        <translation>%1，%2：%3（%4）</translation>
    </message>
    <message>
        <source>Of this, %1 is its own and not its children&apos;s</source>
        <translation>其中 %1 属于自身而非子层</translation>
    </message>
    <message>
        <source>%1 of the allocated peak of %2</source>
        <translation>%2 的已分配峰值中的 %1</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>%1 multiply-accumulates</source>
        <translation>%1 次乘加</translation>
    </message>
    <message>
        <source>The peak is reached while this layer runs</source>
        <translation>此层运行时达到峰值</translation>
    </message>
    <message>
        <source>One of the layers that hold half of the peak</source>
        <translation>占据峰值一半的层之一</translation>
    </message>
    <message>
        <source>Checkpointed: recomputed in the backward pass</source>
        <translation>已设检查点：在反向传播中重新计算</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 (bytes)</source>
        <translation>%1（字节）</translation>
    </message>
    <message>
        <source>Share of peak</source>
        <translation>占峰值比例</translation>
    </message>
</context>
<context>
    <name>tidemark::LayerTreeView</name>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>No layer matches the filter</source>
        <translation>没有层符合筛选条件</translation>
    </message>
    <message>
        <source>Filter layers</source>
        <translation>筛选层</translation>
    </message>
    <message>
        <source>Part of a layer&apos;s path or type</source>
        <translation>层路径或类型的一部分</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Read the filter as a regular expression</source>
        <translation>将筛选条件作为正则表达式</translation>
    </message>
    <message>
        <source>Flat list</source>
        <translation>平铺列表</translation>
    </message>
    <message>
        <source>List every layer by itself, without sums, to sort across the whole model</source>
        <translation>逐层列出，不求和，以便在整个模型中排序</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Choose the columns</source>
        <translation>选择列</translation>
    </message>
    <message>
        <source>Export layers as CSV</source>
        <translation>将层导出为 CSV</translation>
    </message>
    <message>
        <source>Save the rows and columns shown as CSV, sizes in bytes</source>
        <translation>将显示的行和列保存为 CSV，大小以字节计</translation>
    </message>
    <message>
        <source>This is no regular expression</source>
        <translation>这不是正则表达式</translation>
    </message>
    <message>
        <source>Reset columns</source>
        <translation>重置列</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Checkpoint this layer</source>
        <translation>为此层设检查点</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation>全部折叠</translation>
    </message>
</context>
<context>
    <name>tidemark::LiveView</name>
    <message>
        <source>What fills the peak</source>
        <translation>峰值被什么占用</translation>
    </message>
    <message>
        <source>by category</source>
        <translation>按种类</translation>
    </message>
    <message>
        <source>by layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>by operator</source>
        <translation>按算子</translation>
    </message>
    <message>
        <source>by size</source>
        <translation>按大小</translation>
    </message>
    <message>
        <source>by source line</source>
        <translation>按源代码行</translation>
    </message>
    <message>
        <source>Grouping of live memory</source>
        <translation>存活显存的分组</translation>
    </message>
    <message>
        <source>Back to the peak</source>
        <translation>回到峰值</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the table as CSV, sizes in bytes</source>
        <translation>将表复制为 CSV，大小以字节计</translation>
    </message>
    <message>
        <source>Live memory</source>
        <translation>存活的显存</translation>
    </message>
    <message>
        <source>event %1%2 · %3 alive</source>
        <translation>事件 %1%2 · 存活 %3</translation>
    </message>
    <message>
        <source>What is alive at this moment</source>
        <translation>此刻存活的内容</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Outside of layers</source>
        <translation>不属于任何层</translation>
    </message>
    <message>
        <source>There before the step</source>
        <translation>步骤之前就有</translation>
    </message>
    <message>
        <source>No line of the model</source>
        <translation>不属于模型的任何一行</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>%1 smaller ones</source>
        <translation>较小的 %1 个</translation>
    </message>
    <message>
        <source>%1 blocks</source>
        <translation>%1 个块</translation>
    </message>
    <message>
        <source>smaller ones</source>
        <translation>较小的</translation>
    </message>
    <message>
        <source>alive [B]</source>
        <translation>存活 [B]</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
</context>
<context>
    <name>tidemark::MainWindow</name>
    <message>
        <source>Memory against batch size</source>
        <translation>显存与批大小</translation>
    </message>
    <message>
        <source>One training step</source>
        <translation>一个训练步骤</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Change GPU</source>
        <translation>更换 GPU</translation>
    </message>
    <message>
        <source>Change memory of the card</source>
        <translation>更改显卡的显存容量</translation>
    </message>
    <message>
        <source>Change reserve</source>
        <translation>更改预留</translation>
    </message>
    <message>
        <source>%1 has changed on disk. Press F5 to measure it again.</source>
        <translation>%1 在磁盘上已更改。按 F5 重新测量。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>This file cannot be opened.</source>
        <translation>无法打开此文件。</translation>
    </message>
    <message>
        <source>Being read …</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>dots are exact, dashes lie between</source>
        <translation>圆点为精确值，虚线位于其间</translation>
    </message>
    <message>
        <source>batch %1, the steady iteration; click a peak to find its layer</source>
        <translation>批大小 %1，稳态迭代；单击峰值可找到所属的层</translation>
    </message>
    <message>
        <source>The step cannot be measured</source>
        <translation>无法测量该步骤</translation>
    </message>
    <message>
        <source>The model cannot be opened</source>
        <translation>无法打开该模型</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a TorchScript model or a plan</source>
        <translation>打开 TorchScript 模型或计划</translation>
    </message>
    <message>
        <source>&amp;Add model as variant…</source>
        <translation>添加模型作为方案(&amp;A)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>Compare another model with this one</source>
        <translation>将另一个模型与此模型比较</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新加载(&amp;R)</translation>
    </message>
    <message>
        <source>Read the model again and measure with the same settings</source>
        <translation>重新读取模型，并以相同的设置测量</translation>
    </message>
    <message>
        <source>&amp;Save plan</source>
        <translation>保存计划(&amp;S)</translation>
    </message>
    <message>
        <source>Save settings and variants as a plan</source>
        <translation>将设置和方案保存为计划</translation>
    </message>
    <message>
        <source>Save plan &amp;as…</source>
        <translation>计划另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save the plan under another name</source>
        <translation>以另一个名称保存计划</translation>
    </message>
    <message>
        <source>&amp;Report (PDF, HTML)…</source>
        <translation>报告 (PDF, HTML)(&amp;R)…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Export everything shown as a report</source>
        <translation>将显示的全部内容导出为报告</translation>
    </message>
    <message>
        <source>&amp;Layer table (CSV)…</source>
        <translation>层表 (CSV)(&amp;L)…</translation>
    </message>
    <message>
        <source>Export the layers shown as CSV, sizes in bytes</source>
        <translation>将显示的层导出为 CSV，大小以字节计</translation>
    </message>
    <message>
        <source>&amp;Memory plot (SVG, PNG)…</source>
        <translation>显存图 (SVG, PNG)(&amp;M)…</translation>
    </message>
    <message>
        <source>Export memory against batch size as a picture</source>
        <translation>将显存与批大小的图导出为图片</translation>
    </message>
    <message>
        <source>&amp;Step plot (SVG, PNG)…</source>
        <translation>步骤图 (SVG, PNG)(&amp;S)…</translation>
    </message>
    <message>
        <source>Export the step over time as a picture</source>
        <translation>将步骤随时间的图导出为图片</translation>
    </message>
    <message>
        <source>&amp;Comparison (CSV)…</source>
        <translation>比较 (CSV)(&amp;C)…</translation>
    </message>
    <message>
        <source>Export both variants side by side as CSV, sizes in bytes</source>
        <translation>将两个方案并排导出为 CSV，大小以字节计</translation>
    </message>
    <message>
        <source>&amp;Plan and figures (JSON)…</source>
        <translation>计划与数字 (JSON)(&amp;P)…</translation>
    </message>
    <message>
        <source>Export settings, peaks, curves and layers of all variants for other programs</source>
        <translation>导出所有方案的设置、峰值、曲线和层，供其他程序使用</translation>
    </message>
    <message>
        <source>&amp;Node data for Model Explorer (JSON)…</source>
        <translation>Model Explorer 的节点数据 (JSON)(&amp;N)…</translation>
    </message>
    <message>
        <source>Export the layers and their memory at the peak for Model Explorer</source>
        <translation>导出各层及其峰值时的显存，供 Model Explorer 使用</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Leave Tidemark</source>
        <translation>退出 Tidemark</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open sa&amp;mple</source>
        <translation>打开示例(&amp;M)</translation>
    </message>
    <message>
        <source>Open re&amp;cent</source>
        <translation>打开最近的文件(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy layers</source>
        <translation>复制层(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the selected layers with a header row</source>
        <translation>复制所选的层及标题行</translation>
    </message>
    <message>
        <source>&amp;Find layer</source>
        <translation>查找层(&amp;F)</translation>
    </message>
    <message>
        <source>Filter the layer table</source>
        <translation>筛选层表</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Duplicate and change</source>
        <translation>复制并修改(&amp;D)</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Add a variant with the same settings, to change and compare</source>
        <translation>添加一个设置相同的方案，以便修改和比较</translation>
    </message>
    <message>
        <source>&amp;Remove variant</source>
        <translation>移除方案(&amp;R)</translation>
    </message>
    <message>
        <source>Remove the variant shown</source>
        <translation>移除显示的方案</translation>
    </message>
    <message>
        <source>Change &amp;all variants together</source>
        <translation>同时更改所有方案(&amp;A)</translation>
    </message>
    <message>
        <source>Sliders and settings act on all variants, not on the chosen one alone</source>
        <translation>滑块和设置作用于所有方案，而不只是所选的方案</translation>
    </message>
    <message>
        <source>Go to the &amp;largest batch that fits</source>
        <translation>转到放得下的最大批大小(&amp;L)</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Set the batch to the largest one that fits the card</source>
        <translation>将批大小设为显卡放得下的最大值</translation>
    </message>
    <message>
        <source>&amp;Cancel measurement</source>
        <translation>取消测量(&amp;C)</translation>
    </message>
    <message>
        <source>Stop what is being measured</source>
        <translation>停止正在进行的测量</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>计划(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Fit plots</source>
        <translation>适应图(&amp;F)</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>Show all data in both plots</source>
        <translation>在两个图中显示全部数据</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Come closer in the plot with the keyboard focus</source>
        <translation>放大具有键盘焦点的图</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Show more in the plot with the keyboard focus</source>
        <translation>在具有键盘焦点的图中显示更多</translation>
    </message>
    <message>
        <source>&amp;Logarithmic batch axis</source>
        <translation>对数批大小轴(&amp;L)</translation>
    </message>
    <message>
        <source>Ctrl+G</source>
        <translation>Ctrl+G</translation>
    </message>
    <message>
        <source>Space the batch axis by powers of two</source>
        <translation>批大小轴按 2 的幂排列</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Units</source>
        <translation>单位(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Binary: MiB, GiB (as nvidia-smi)</source>
        <translation>二进制：MiB、GiB（同 nvidia-smi）(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Decimal: MB, GB (as on the box)</source>
        <translation>十进制：MB、GB（同包装盒）(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>As the &amp;desktop</source>
        <translation>跟随桌面(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put docks, columns and splitters back</source>
        <translation>恢复停靠窗口、列和分隔条</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>What the figures mean and how exact they are</source>
        <translation>数字的含义及其精确程度</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Ctrl+?</source>
        <translation>Ctrl+?</translation>
    </message>
    <message>
        <source>Every command with its keys</source>
        <translation>每个命令及其按键</translation>
    </message>
    <message>
        <source>&amp;About Tidemark</source>
        <translation>关于 Tidemark(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>版本和许可</translation>
    </message>
    <message>
        <source>Show h&amp;ints</source>
        <translation>显示提示(&amp;I)</translation>
    </message>
    <message>
        <source>Show the hints of the first start again</source>
        <translation>再次显示首次启动时的提示</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Choose variant</source>
        <translation>选择方案</translation>
    </message>
    <message>
        <source>Choose baseline</source>
        <translation>选择基准</translation>
    </message>
    <message>
        <source>Rename variant</source>
        <translation>重命名方案</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Export layer table</source>
        <translation>导出层表</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export comparison</source>
        <translation>导出比较</translation>
    </message>
    <message>
        <source>Export plot</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG (*.png)</source>
        <translation>SVG (*.svg);;PNG (*.png)</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Export plan and figures</source>
        <translation>导出计划与数字</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export node data</source>
        <translation>导出节点数据</translation>
    </message>
    <message>
        <source>Open %1 in Model Explorer and load %2 as its node data.</source>
        <translation>在 Model Explorer 中打开 %1，并将 %2 作为其节点数据加载。</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>The report was saved as %1</source>
        <translation>报告已保存为 %1</translation>
    </message>
    <message>
        <source>PDF (*.pdf);;HTML (*.html)</source>
        <translation>PDF (*.pdf);;HTML (*.html)</translation>
    </message>
    <message>
        <source>Tidemark ended unexpectedly last time. This is the plan as it was.</source>
        <translation>Tidemark 上次意外结束。这是当时的计划。</translation>
    </message>
    <message>
        <source>Open model or plan</source>
        <translation>打开模型或计划</translation>
    </message>
    <message>
        <source>Models and plans (*.pt *.pth *.ts *.tidemark);;All files (*)</source>
        <translation>模型和计划 (*.pt *.pth *.ts *.tidemark);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>要将更改保存到 %1 吗？</translation>
    </message>
    <message>
        <source>Plans (*.tidemark)</source>
        <translation>计划 (*.tidemark)</translation>
    </message>
    <message>
        <source>Tidemark</source>
        <translation>Tidemark</translation>
    </message>
    <message>
        <source>%1[*] — Tidemark</source>
        <translation>%1[*] — Tidemark</translation>
    </message>
    <message>
        <source>Change settings</source>
        <translation>更改设置</translation>
    </message>
    <message>
        <source>Add model as variant</source>
        <translation>添加模型作为方案</translation>
    </message>
    <message>
        <source>TorchScript models (*.pt *.pth *.ts);;All files (*)</source>
        <translation>TorchScript 模型 (*.pt *.pth *.ts);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Add model</source>
        <translation>添加模型</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Duplicate variant</source>
        <translation>复制方案</translation>
    </message>
    <message>
        <source>Remove variant</source>
        <translation>移除方案</translation>
    </message>
    <message>
        <source>another model file</source>
        <translation>另一个模型文件</translation>
    </message>
    <message>
        <source>This plan on &amp;every card…</source>
        <translation>此计划在每块显卡上(&amp;E)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+G</source>
        <translation>Ctrl+Shift+G</translation>
    </message>
    <message>
        <source>Which cards hold this step, what they leave over, their largest batch</source>
        <translation>哪些显卡放得下此步骤、剩余多少、最大批大小</translation>
    </message>
    <message>
        <source>Change sets of inputs</source>
        <translation>更改输入组</translation>
    </message>
    <message>
        <source>Measuring what would take less; the report follows.</source>
        <translation>正在测量如何减少占用，随后生成报告。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Measuring takes too long; the picture shows what is known.</source>
        <translation>测量时间过长；图片显示目前已知的内容。</translation>
    </message>
    <message>
        <source>%1 is a folder; open the model file in it.</source>
        <translation>%1 是文件夹；请打开其中的模型文件。</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>更改%1</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Open plan</source>
        <translation>打开计划</translation>
    </message>
</context>
<context>
    <name>tidemark::MemoryPlot</name>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Memory against batch size</source>
        <translation>显存与批大小</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>largest that fits: %1</source>
        <translation>放得下的最大值：%1</translation>
    </message>
    <message>
        <source>≈ %1</source>
        <translation>≈ %1</translation>
    </message>
    <message>
        <source>batch %1: %2</source>
        <translation>批大小 %1：%2</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Spare</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>Batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message>
        <source>Batch %1 (interpolated)</source>
        <translation>批大小 %1（插值）</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测得</translation>
    </message>
    <message>
        <source>measured: out of memory</source>
        <translation>测得：显存不足</translation>
    </message>
</context>
<context>
    <name>tidemark::Message</name>
    <message>
        <source>The catalogue of cards {} cannot be opened.</source>
        <translation>无法打开显卡目录 {}。</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>该文件</translation>
    </message>
    <message>
        <source>card {}</source>
        <translation>显卡 {}</translation>
    </message>
    <message>
        <source>The catalogue of cards {} cannot be read: {} is not as expected.</source>
        <translation>无法读取显卡目录 {}：{}不符合预期。</translation>
    </message>
    <message>
        <source>Your own cards in {} cannot be read: {} is not as expected.</source>
        <translation>无法读取 {} 中您自己的显卡：{}不符合预期。</translation>
    </message>
    <message>
        <source>No card is named; `tidemark gpus` lists the known ones.</source>
        <translation>没有指定显卡；`tidemark gpus` 列出已知的显卡。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; may mean {}; say which.</source>
        <translation>“{}”可能指 {}；请指明是哪一个。</translation>
    </message>
    <message>
        <source>No card is called &quot;{}&quot;; near ones are {}.</source>
        <translation>没有名为“{}”的显卡；相近的有 {}。</translation>
    </message>
    <message>
        <source>Set gradients to none</source>
        <translation>将梯度置为 None</translation>
    </message>
    <message>
        <source>zero_grad(set_to_none=True), PyTorch&apos;s default</source>
        <translation>zero_grad(set_to_none=True)，PyTorch 的默认行为</translation>
    </message>
    <message>
        <source>Fused optimizer</source>
        <translation>fused 优化器</translation>
    </message>
    <message>
        <source>fused=True: no temporary copies in the update</source>
        <translation>fused=True：更新时没有临时副本</translation>
    </message>
    <message>
        <source>Expandable segments</source>
        <translation>可扩展段</translation>
    </message>
    <message>
        <source>PYTORCH_ALLOC_CONF=expandable_segments:True: less fragmentation</source>
        <translation>PYTORCH_ALLOC_CONF=expandable_segments:True：碎片更少</translation>
    </message>
    <message>
        <source>Channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>often faster, and smaller convolution workspaces</source>
        <translation>通常更快，卷积工作区更小</translation>
    </message>
    <message>
        <source>Automatic mixed precision, bf16</source>
        <translation>自动混合精度，bf16</translation>
    </message>
    <message>
        <source>autocast; weights stay fp32</source>
        <translation>autocast；权重保持 fp32</translation>
    </message>
    <message>
        <source>Automatic mixed precision, fp16</source>
        <translation>自动混合精度，fp16</translation>
    </message>
    <message>
        <source>autocast with a gradient scaler; weights stay fp32</source>
        <translation>autocast 加梯度缩放；权重保持 fp32</translation>
    </message>
    <message>
        <source>Checkpoint {} of {} blocks</source>
        <translation>为 {1} 个块中的 {0} 个设检查点</translation>
    </message>
    <message>
        <source>their forward pass runs twice</source>
        <translation>它们的前向传播运行两次</translation>
    </message>
    <message>
        <source>Checkpoint all {} blocks</source>
        <translation>为全部 {} 个块设检查点</translation>
    </message>
    <message>
        <source>{} micro-batches of {}</source>
        <translation>{} 个大小为 {} 的微批</translation>
    </message>
    <message>
        <source>the same effective batch in more passes; batch norm sees the micro-batch</source>
        <translation>有效批大小不变，分多次完成；批归一化只看到微批</translation>
    </message>
    <message>
        <source>8-bit optimizer state</source>
        <translation>8 位优化器状态</translation>
    </message>
    <message>
        <source>two bytes a parameter instead of eight; needs another library</source>
        <translation>每个参数两个字节而非八个；需要另外的库</translation>
    </message>
    <message>
        <source>SGD with momentum</source>
        <translation>带动量的 SGD</translation>
    </message>
    <message>
        <source>one state instead of two; needs other learning rates</source>
        <translation>一个状态而非两个；需要不同的学习率</translation>
    </message>
    <message>
        <source>free</source>
        <translation>无代价</translation>
    </message>
    <message>
        <source>set-up</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>training changes</source>
        <translation>训练有变化</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>The driver does not tell this process&apos;s memory from that of other programs, so there is nothing to calibrate with.</source>
        <translation>驱动无法区分此进程与其他程序的显存，因此无法校准。</translation>
    </message>
    <message>
        <source>No step ran to its end on the GPU, so there is nothing to calibrate with; try a smaller batch.</source>
        <translation>没有步骤在 GPU 上运行完成，因此无法校准；请尝试更小的批大小。</translation>
    </message>
    <message>
        <source>The calibration in {} cannot be read: {}. Delete the file and calibrate again.</source>
        <translation>无法读取 {} 中的校准：{}。请删除该文件并重新校准。</translation>
    </message>
    <message>
        <source>it is none</source>
        <translation>它不是校准文件</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is of another version of Tidemark</source>
        <translation>“{}”属于另一版本的 Tidemark</translation>
    </message>
    <message>
        <source>10 to 15 % more than one card</source>
        <translation>比单卡多 10 % 至 15 %</translation>
    </message>
    <message>
        <source>The probe reported an error without saying which.</source>
        <translation>探针报告了错误，但没有说明原因。</translation>
    </message>
    <message>
        <source>The input &quot;{}&quot; cannot be read: {}. Write it as [NAME=]DTYPE[B,3,224,224].</source>
        <translation>无法读取输入“{}”：{}。请写成 [NAME=]DTYPE[B,3,224,224]。</translation>
    </message>
    <message>
        <source>a dimension is empty</source>
        <translation>有一个维度为空</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is no name of an axis</source>
        <translation>“{}”不是轴的名称</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is neither a size nor the name of an axis</source>
        <translation>“{}”既不是大小，也不是轴的名称</translation>
    </message>
    <message>
        <source>the size {} is not positive</source>
        <translation>大小 {} 不是正数</translation>
    </message>
    <message>
        <source>the shape in brackets is missing</source>
        <translation>缺少方括号中的形状</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is no argument name</source>
        <translation>“{}”不是参数名</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is none of the types {}</source>
        <translation>“{}”不是以下类型之一：{}</translation>
    </message>
    <message>
        <source>The text must be a JSON object.</source>
        <translation>文本必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>{} must be a JSON object.</source>
        <translation>{} 必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>The field &quot;{}&quot; {}.</source>
        <translation>字段“{}”{}。</translation>
    </message>
    <message>
        <source>is not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>has the wrong type</source>
        <translation>类型不对</translation>
    </message>
    <message>
        <source>must be a text</source>
        <translation>必须是文本</translation>
    </message>
    <message>
        <source>must be a list</source>
        <translation>必须是列表</translation>
    </message>
    <message>
        <source>is not as long as the other columns</source>
        <translation>与其他列长度不同</translation>
    </message>
    <message>
        <source>has an unknown number</source>
        <translation>含有未知的编号</translation>
    </message>
    <message>
        <source>must hold [name, begin, end]</source>
        <translation>必须为 [name, begin, end]</translation>
    </message>
    <message>
        <source>must hold [source, line]</source>
        <translation>必须为 [source, line]</translation>
    </message>
    <message>
        <source>is not as long as the other column</source>
        <translation>与另一列长度不同</translation>
    </message>
    <message>
        <source>has a peak outside of its events</source>
        <translation>的峰值位于其事件之外</translation>
    </message>
    <message>
        <source>has not one reserved size for each event</source>
        <translation>没有为每个事件给出已保留的大小</translation>
    </message>
    <message>
        <source>has an allocation outside of its events</source>
        <translation>有一次分配位于其事件之外</translation>
    </message>
    <message>
        <source>has an allocation that names nothing known</source>
        <translation>有一次分配指向未知内容</translation>
    </message>
    <message>
        <source>has a line of an unknown source</source>
        <translation>有一行来自未知的源文件</translation>
    </message>
    <message>
        <source>has a phase outside of its events</source>
        <translation>有一个阶段位于其事件之外</translation>
    </message>
    <message>
        <source>load{}</source>
        <translation>载入{}</translation>
    </message>
    <message>
        <source>forward{}</source>
        <translation>前向{}</translation>
    </message>
    <message>
        <source>backward{}</source>
        <translation>反向{}</translation>
    </message>
    <message>
        <source>optimizer{}</source>
        <translation>优化器{}</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is no known source of the input.</source>
        <translation>“{}”不是已知的输入来源。</translation>
    </message>
    <message>
        <source>points at no earlier layer</source>
        <translation>没有指向更早的层</translation>
    </message>
    <message>
        <source>The probe measures in a way called &quot;{}&quot; that is not known here.</source>
        <translation>探针的测量方式“{}”在此未知。</translation>
    </message>
    <message>
        <source>reserved memory is the plan&apos;s to the byte</source>
        <translation>已保留显存与计划分毫不差</translation>
    </message>
    <message>
        <source>reserved memory is {} more</source>
        <translation>已保留显存多 {}</translation>
    </message>
    <message>
        <source>reserved memory is {} less</source>
        <translation>已保留显存少 {}</translation>
    </message>
    <message>
        <source>the context is as expected</source>
        <translation>上下文符合预期</translation>
    </message>
    <message>
        <source>the context takes {} more</source>
        <translation>上下文多占 {}</translation>
    </message>
    <message>
        <source>the context takes {} less</source>
        <translation>上下文少占 {}</translation>
    </message>
    <message>
        <source>Process memory {}, as planned: {}, {}.</source>
        <translation>进程显存 {}，与计划一致：{}，{}。</translation>
    </message>
    <message>
        <source>Process memory {}, {} ({}) more than planned: {}, {}.</source>
        <translation>进程显存 {}，比计划多 {}（{}）：{}，{}。</translation>
    </message>
    <message>
        <source>Process memory {}, {} ({}) less than planned: {}, {}.</source>
        <translation>进程显存 {}，比计划少 {}（{}）：{}，{}。</translation>
    </message>
    <message>
        <source>Allocated memory</source>
        <translation>已分配显存</translation>
    </message>
    <message>
        <source>Active memory</source>
        <translation>活动显存</translation>
    </message>
    <message>
        <source>Requested memory</source>
        <translation>请求的显存</translation>
    </message>
    <message>
        <source>Reserved memory</source>
        <translation>已保留显存</translation>
    </message>
    <message>
        <source>Non-releasable memory</source>
        <translation>不可释放显存</translation>
    </message>
    <message>
        <source>Allocations</source>
        <translation>分配次数</translation>
    </message>
    <message>
        <source>Active blocks</source>
        <translation>活动块</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Non-releasable blocks</source>
        <translation>不可释放块</translation>
    </message>
    <message>
        <source>Not measured.</source>
        <translation>未测量。</translation>
    </message>
    <message>
        <source> in {}</source>
        <translation>（{}阶段）</translation>
    </message>
    <message>
        <source>Out of memory: LibTorch asked for {}{}.</source>
        <translation>显存不足：LibTorch 请求 {}{}。</translation>
    </message>
    <message>
        <source>Out of memory: LibTorch asked for {}{}; the plan takes {} of process memory.</source>
        <translation>显存不足：LibTorch 请求 {}{}；计划占用进程显存 {}。</translation>
    </message>
    <message>
        <source>Process memory {}.</source>
        <translation>进程显存 {}。</translation>
    </message>
    <message>
        <source>It ran, and the plan had it run out of memory.</source>
        <translation>它运行成功，而计划认为会显存不足。</translation>
    </message>
    <message>
        <source>The driver does not tell the memory of processes; {}.</source>
        <translation>驱动不提供各进程的显存；{}。</translation>
    </message>
    <message>
        <source>batch × input</source>
        <translation>批大小 × 输入</translation>
    </message>
    <message>
        <source>batch × forward</source>
        <translation>批大小 × 前向</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>batch × forward, for backward</source>
        <translation>批大小 × 前向（用于反向）</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>未计入</translation>
    </message>
    <message>
        <source>torchsummary&apos;s total times the batch</source>
        <translation>torchsummary 的总计乘以批大小</translation>
    </message>
    <message>
        <source>(input + forward/backward + parameters) × batch</source>
        <translation>（输入 + 前向/反向 + 参数）× 批大小</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>the same with half as much again for safety</source>
        <translation>同上，再加一半作为余量</translation>
    </message>
    <message>
        <source>total × 1.5 × batch</source>
        <translation>总计 × 1.5 × 批大小</translation>
    </message>
    <message>
        <source>process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>term by term</source>
        <translation>逐项计算</translation>
    </message>
    <message>
        <source>batch × (input + forward) + parameters + batch × forward</source>
        <translation>批大小 ×（输入 + 前向）+ 参数 + 批大小 × 前向</translation>
    </message>
    <message>
        <source>torchinfo&apos;s total</source>
        <translation>torchinfo 的总计</translation>
    </message>
    <message>
        <source>input + forward/backward + parameters</source>
        <translation>输入 + 前向/反向 + 参数</translation>
    </message>
    <message>
        <source>allocated and 500 MB for the system</source>
        <translation>已分配，另加 500 MB 给系统</translation>
    </message>
    <message>
        <source>allocated + 500 MB</source>
        <translation>已分配 + 500 MB</translation>
    </message>
    <message>
        <source>allocated and a quarter for safety</source>
        <translation>已分配，另加四分之一作为余量</translation>
    </message>
    <message>
        <source>allocated × 1.25</source>
        <translation>已分配 × 1.25</translation>
    </message>
    <message>
        <source>data parallel takes 10 to 15 % more</source>
        <translation>数据并行多占 10 % 至 15 %</translation>
    </message>
    <message>
        <source>allocated × 1.125</source>
        <translation>已分配 × 1.125</translation>
    </message>
    <message>
        <source>allocated with DDP&apos;s buckets</source>
        <translation>含 DDP 桶的已分配</translation>
    </message>
    <message>
        <source>mixed precision halves the memory</source>
        <translation>混合精度使显存减半</translation>
    </message>
    <message>
        <source>allocated ÷ 2</source>
        <translation>已分配 ÷ 2</translation>
    </message>
    <message>
        <source>allocated under AMP</source>
        <translation>AMP 下的已分配</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is no {}; known are {}.</source>
        <translation>“{}”不是已知的{}；已知的有 {}。</translation>
    </message>
    <message>
        <source>The number of cards must lie between 1 and 65536, not {}.</source>
        <translation>显卡数量必须在 1 到 65536 之间，而不是 {}。</translation>
    </message>
    <message>
        <source>The bucket size must lie between 0 (PyTorch&apos;s default) and 65536 MiB, not {}.</source>
        <translation>桶大小必须在 0（PyTorch 的默认值）到 65536 MiB 之间，而不是 {}。</translation>
    </message>
    <message>
        <source>max_split_size_mb must be at least 20 MiB.</source>
        <translation>max_split_size_mb 至少为 20 MiB。</translation>
    </message>
    <message>
        <source>The garbage collection threshold must lie between 0 and 1.</source>
        <translation>垃圾回收阈值必须在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>roundup_power2_divisions must be a power of two up to 64.</source>
        <translation>roundup_power2_divisions 必须是不超过 64 的 2 的幂。</translation>
    </message>
    <message>
        <source>The batch must be at least 1, not {}.</source>
        <translation>批大小至少为 1，而不是 {}。</translation>
    </message>
    <message>
        <source>Accumulation needs at least 1 micro-batch, not {}.</source>
        <translation>梯度累积至少需要 1 个微批，而不是 {}。</translation>
    </message>
    <message>
        <source>The number of iterations must lie between 2 and 100, not {}.</source>
        <translation>迭代次数必须在 2 到 100 之间，而不是 {}。</translation>
    </message>
    <message>
        <source>The axis {} must be at least 1, not {}.</source>
        <translation>轴 {} 至少为 1，而不是 {}。</translation>
    </message>
    <message>
        <source>The axis {} of the input {} has no size.</source>
        <translation>输入 {1} 的轴 {0} 没有大小。</translation>
    </message>
    <message>
        <source>The number of checkpointed blocks cannot be negative.</source>
        <translation>设检查点的块数不能为负。</translation>
    </message>
    <message>
        <source>Checkpointing every k-th block needs a k of at least 1.</source>
        <translation>每 k 个块设一个检查点时，k 至少为 1。</translation>
    </message>
    <message>
        <source>Checkpointing chosen layers needs at least one layer.</source>
        <translation>为选定的层设检查点时，至少需要一层。</translation>
    </message>
    <message>
        <source>The optimizer state must lie between 0 and 64 bytes per element.</source>
        <translation>优化器状态必须在每个元素 0 到 64 字节之间。</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>optimizer implementation</source>
        <translation>优化器实现</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>workspace source</source>
        <translation>工作区来源</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>use of the gradient scaler</source>
        <translation>梯度缩放的使用方式</translation>
    </message>
    <message>
        <source>The field &quot;{}&quot; is not known.</source>
        <translation>字段“{}”未知。</translation>
    </message>
    <message>
        <source>Down-sample before {}</source>
        <translation>在 {} 之前下采样</translation>
    </message>
    <message>
        <source>{} layers at the input&apos;s full resolution hold {} % of the activations; at half the side they hold a quarter of it.</source>
        <translation>{} 个保持输入完整分辨率的层占激活值的 {} %；边长减半时只占其四分之一。</translation>
    </message>
    <message>
        <source>the first layer</source>
        <translation>第一层</translation>
    </message>
    <message>
        <source>Depthwise separable convolution in {}</source>
        <translation>{} 改用深度可分离卷积</translation>
    </message>
    <message>
        <source>Depthwise separable convolutions in {} layers</source>
        <translation>{} 个层改用深度可分离卷积</translation>
    </message>
    <message>
        <source>They hold {} % of the weights; a depthwise and a 1×1 convolution instead need about a ninth of that, with gradients and optimizer state, and keep one activation more.</source>
        <translation>它们占权重的 {} %；改用一个逐深度卷积和一个 1×1 卷积后，连同梯度和优化器状态只需约九分之一，但要多保存一个激活值。</translation>
    </message>
    <message>
        <source>Average the feature maps before {}</source>
        <translation>在 {} 之前对特征图取平均</translation>
    </message>
    <message>
        <source>It holds {} % of the weights because it sees {} values of each of {} channels; a global average leaves one.</source>
        <translation>它占权重的 {} %，因为它看到 {2} 个通道各 {1} 个值；全局平均后每个通道只剩一个。</translation>
    </message>
    <message>
        <source>Compute {} and its loss in {} chunks</source>
        <translation>将 {} 及其损失分 {} 块计算</translation>
    </message>
    <message>
        <source>Its output of {} values for each token takes {}, and the loss as much again with its gradient; in chunks an eighth of both is alive.</source>
        <translation>其输出每个 token 有 {} 个值，占用 {}，损失及其梯度再占同样多；分块计算时两者只有八分之一同时存活。</translation>
    </message>
    <message>
        <source>{} activation functions in place</source>
        <translation>{} 个激活函数改为原地运算</translation>
    </message>
    <message>
        <source>While one runs, its input and its output are both there; inplace=True leaves one, where the layer before does not need its output for the backward pass. At most the largest of them is saved.</source>
        <translation>激活函数运行时，输入和输出同时存在；inplace=True 只留下一个，前提是前一层在反向传播中不需要其输出。最多节省其中最大的一个。</translation>
    </message>
    <message>
        <source>{} is no dtype Tidemark knows; use float32, float16, bfloat16, int64, int32 or bool.</source>
        <translation>Tidemark 不认识 dtype {}；请使用 float32、float16、bfloat16、int64、int32 或 bool。</translation>
    </message>
    <message>
        <source>The axis {} of {} has no size; give it one.</source>
        <translation>{1} 的轴 {0} 没有大小；请指定。</translation>
    </message>
    <message>
        <source>The model&apos;s output holds no floating-point tensor to compute a loss of; plan it in infer mode.</source>
        <translation>模型的输出中没有可用于计算损失的浮点张量；请以推理模式规划。</translation>
    </message>
    <message>
        <source>What does {} take as {}? Give it as DTYPE[SHAPE], for example {}.</source>
        <translation>{} 的参数 {} 是什么？请以 DTYPE[SHAPE] 的形式给出，例如 {}。</translation>
    </message>
    <message>
        <source>{} takes {} arguments ({}). Give each as NAME=DTYPE[SHAPE], for example {}={}.</source>
        <translation>{} 有 {} 个参数（{}）。请以 NAME=DTYPE[SHAPE] 的形式逐一给出，例如 {}={}。</translation>
    </message>
    <message>
        <source>Export the model with torch.jit.script(model).save(&quot;model.pt&quot;) or Tidemark&apos;s exporter and open that file.</source>
        <translation>请用 torch.jit.script(model).save(&quot;model.pt&quot;) 或 Tidemark 的导出工具导出模型，再打开导出的文件。</translation>
    </message>
    <message>
        <source>{} is a Python pickle (an old state_dict or checkpoint), not a TorchScript model. {}</source>
        <translation>{} 是 Python pickle（旧的 state_dict 或检查点），不是 TorchScript 模型。{}</translation>
    </message>
    <message>
        <source>{} is a safetensors file: weights without a model. {}</source>
        <translation>{} 是 safetensors 文件：只有权重，没有模型。{}</translation>
    </message>
    <message>
        <source>{} looks like an ONNX model, which Tidemark does not read. {}</source>
        <translation>{} 看起来是 ONNX 模型，Tidemark 不能读取。{}</translation>
    </message>
    <message>
        <source>{} is an HDF5 (Keras) file, not a TorchScript model. {}</source>
        <translation>{} 是 HDF5 (Keras) 文件，不是 TorchScript 模型。{}</translation>
    </message>
    <message>
        <source>{} is {}, not a TorchScript model. {}</source>
        <translation>{} 是{}，不是 TorchScript 模型。{}</translation>
    </message>
    <message>
        <source>a text file</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>no archive that PyTorch writes</source>
        <translation>无法识别的文件</translation>
    </message>
    <message>
        <source>{} is a zip archive without a TorchScript model in it. {}</source>
        <translation>{} 是 zip 压缩包，其中没有 TorchScript 模型。{}</translation>
    </message>
    <message>
        <source>{} was written by torch.save (a state_dict or a pickled model): it holds weights, not the program of a model. {}</source>
        <translation>{} 由 torch.save 写出（state_dict 或序列化的模型）：它只含权重，不含模型的程序。{}</translation>
    </message>
    <message>
        <source>{} uses the operator {}, which is not PyTorch&apos;s own: export the part of the model that does without it.</source>
        <translation>{} 使用了非 PyTorch 自带的算子 {}：请只导出模型中不使用它的部分。</translation>
    </message>
    <message>
        <source>{} is TorchScript, but this LibTorch cannot load it: {} Export it with a matching PyTorch version.</source>
        <translation>{} 是 TorchScript，但此 LibTorch 无法载入：{} 请用匹配的 PyTorch 版本导出。</translation>
    </message>
    <message>
        <source>There is no file {}. Check the path.</source>
        <translation>没有文件 {}。请检查路径。</translation>
    </message>
    <message>
        <source>{} is a folder. Open the TorchScript file (.pt) in it.</source>
        <translation>{} 是文件夹。请打开其中的 TorchScript 文件 (.pt)。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Check its permissions.</source>
        <translation>无法读取 {}（{}）。请检查其权限。</translation>
    </message>
    <message>
        <source>{} is empty. Export the model again.</source>
        <translation>{} 是空文件。请重新导出模型。</translation>
    </message>
    <message>
        <source>{} is a damaged or incomplete archive. Copy or export it again.</source>
        <translation>{} 是损坏或不完整的压缩包。请重新复制或导出。</translation>
    </message>
    <message>
        <source>{} has no fused implementation on CUDA; choose foreach or for-loop.</source>
        <translation>{} 在 CUDA 上没有 fused 实现；请选择 foreach 或 for-loop。</translation>
    </message>
    <message>
        <source>This machine has no NVIDIA driver (libcuda.so.1 was not found).</source>
        <translation>本机没有 NVIDIA 驱动（未找到 libcuda.so.1）。</translation>
    </message>
    <message>
        <source>The NVIDIA driver finds no GPU in this machine, or CUDA_VISIBLE_DEVICES hides it.</source>
        <translation>NVIDIA 驱动在本机找不到 GPU，或 GPU 被 CUDA_VISIBLE_DEVICES 隐藏。</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not start: {}.</source>
        <translation>NVIDIA 驱动无法启动：{}。</translation>
    </message>
    <message>
        <source>The NVIDIA driver is too old: it serves CUDA {}.{}, and this LibTorch needs {}.0 or later.</source>
        <translation>NVIDIA 驱动太旧：它支持 CUDA {}.{}，而此 LibTorch 需要 {}.0 或更高版本。</translation>
    </message>
    <message>
        <source>open needs a path.</source>
        <translation>open 需要路径。</translation>
    </message>
    <message>
        <source>Open a model before measuring.</source>
        <translation>请先打开模型再测量。</translation>
    </message>
    <message>
        <source>A request is one JSON object on a line.</source>
        <translation>一个请求是一行中的一个 JSON 对象。</translation>
    </message>
    <message>
        <source>Unknown op; there are hello, open and measure.</source>
        <translation>未知的 op；可用的有 hello、open 和 measure。</translation>
    </message>
    <message>
        <source>The probe failed in a way it did not expect.</source>
        <translation>探针发生了意料之外的错误。</translation>
    </message>
    <message>
        <source>DistributedDataParallel stops at the second step, because parameters got no gradient in the first. Switch on find_unused_parameters, or freeze the layers that take no part.</source>
        <translation>DistributedDataParallel 在第二步停止，因为有参数在第一步没有得到梯度。请开启 find_unused_parameters，或冻结不参与的层。</translation>
    </message>
    <message>
        <source>DistributedDataParallel needs a parameter that is trained, and this model has none.</source>
        <translation>DistributedDataParallel 需要至少一个可训练的参数，而此模型没有。</translation>
    </message>
    <message>
        <source>The model failed in {} ({}): {}</source>
        <translation>模型在 {} 处出错（{}）：{}</translation>
    </message>
    <message>
        <source>The step failed at another place when it was run again.</source>
        <translation>步骤再次运行时在另一处出错。</translation>
    </message>
    <message>
        <source>The measurement was dropped.</source>
        <translation>测量已放弃。</translation>
    </message>
    <message>
        <source>The calibration in {} cannot be read: {}.</source>
        <translation>无法读取 {} 中的校准：{}。</translation>
    </message>
    <message>
        <source>The calibration cannot be written to {}: {}.</source>
        <translation>无法将校准写入 {}：{}。</translation>
    </message>
    <message>
        <source>The worker that runs &quot;{}&quot; died twice: {}.</source>
        <translation>运行“{}”的工作进程两次终止：{}。</translation>
    </message>
    <message>
        <source>The measurement was cancelled.</source>
        <translation>测量已取消。</translation>
    </message>
    <message>
        <source>cuDNN took its worker down when it was asked for this card; the workspaces are estimated.</source>
        <translation>向 cuDNN 查询此显卡时，工作进程崩溃；工作区为估计值。</translation>
    </message>
    <message>
        <source>The worker could not be started: {}.</source>
        <translation>无法启动工作进程：{}。</translation>
    </message>
    <message>
        <source>The measurement was stopped because it gave no answer within {} s.</source>
        <translation>测量在 {} 秒内没有回应，已停止。</translation>
    </message>
    <message>
        <source>There is no file &quot;{}&quot;; check the path.</source>
        <translation>没有文件“{}”；请检查路径。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is a folder; give the TorchScript file inside it.</source>
        <translation>“{}”是文件夹；请选择其中的 TorchScript 文件。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; may not be read; check its permissions.</source>
        <translation>没有读取“{}”的权限；请检查其权限。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is empty; export the model again.</source>
        <translation>“{}”是空文件；请重新导出模型。</translation>
    </message>
    <message>
        <source>Your own cards in {} cannot be read: {}.</source>
        <translation>无法读取 {} 中您自己的显卡：{}。</translation>
    </message>
    <message>
        <source>it is no list of cards</source>
        <translation>它不是显卡列表</translation>
    </message>
    <message>
        <source>Your own cards in {} cannot be written: {}.</source>
        <translation>无法将您自己的显卡写入 {}：{}。</translation>
    </message>
    <message>
        <source>There is no card &quot;{}&quot; of your own in {}.</source>
        <translation>{1} 中没有您自己的显卡“{0}”。</translation>
    </message>
    <message>
        <source>tidemark-probe could not say whether this machine has a GPU.</source>
        <translation>tidemark-probe 无法判断本机是否有 GPU。</translation>
    </message>
    <message>
        <source>This machine has no NVIDIA GPU.</source>
        <translation>本机没有 NVIDIA GPU。</translation>
    </message>
    <message>
        <source>The probe was cancelled.</source>
        <translation>探针已取消。</translation>
    </message>
    <message>
        <source>The probe could not be started: {}.</source>
        <translation>无法启动探针：{}。</translation>
    </message>
    <message>
        <source>The probe was killed: {}.</source>
        <translation>探针已终止：{}。</translation>
    </message>
    <message>
        <source>The probe was stopped after its time limit of {} s.</source>
        <translation>探针达到 {} 秒的时限，已停止。</translation>
    </message>
    <message>
        <source>holds more values than a snapshot can have</source>
        <translation>所含的值多于快照可能有的数量</translation>
    </message>
    <message>
        <source>takes values that are not there</source>
        <translation>引用了不存在的值</translation>
    </message>
    <message>
        <source>puts values where none can be</source>
        <translation>把值放在了不可能的位置</translation>
    </message>
    <message>
        <source>wants to use {}.{}; a snapshot holds only data, and nothing of it is run</source>
        <translation>要使用 {}.{}；快照只含数据，其中任何内容都不会被执行</translation>
    </message>
    <message>
        <source>wants to use Python objects; a snapshot holds only data, and nothing of it is run</source>
        <translation>要使用 Python 对象；快照只含数据，其中任何内容都不会被执行</translation>
    </message>
    <message>
        <source>holds something that is not data, and nothing of it is run</source>
        <translation>含有非数据内容，其中任何内容都不会被执行</translation>
    </message>
    <message>
        <source>{} is empty.</source>
        <translation>{} 是空文件。</translation>
    </message>
    <message>
        <source>{} is no pickle.</source>
        <translation>{} 不是 pickle 文件。</translation>
    </message>
    <message>
        <source>{} {}.</source>
        <translation>{} {}。</translation>
    </message>
    <message>
        <source>is a pickle, but no memory snapshot: it has no segments</source>
        <translation>是 pickle 文件，但不是显存快照：其中没有段</translation>
    </message>
    <message>
        <source>holds no history; record one with torch.cuda.memory._record_memory_history() before the step</source>
        <translation>不含历史记录；请在步骤之前用 torch.cuda.memory._record_memory_history() 记录</translation>
    </message>
    <message>
        <source>is larger than 2 GiB; record a shorter history (max_entries)</source>
        <translation>大于 2 GiB；请记录较短的历史 (max_entries)</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>是空文件</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>your own file</source>
        <translation>您自己的文件</translation>
    </message>
    <message>
        <source>measured on this machine with driver {}, {}</source>
        <translation>在本机以驱动 {} 测得，{}</translation>
    </message>
    <message>
        <source>measured; gradient buckets of {}</source>
        <translation>实测；梯度桶为 {}</translation>
    </message>
    <message>
        <source>One card alone</source>
        <translation>单卡</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>measured; gradients are views of the buckets once they have arrived</source>
        <translation>实测；梯度到达后是桶的视图</translation>
    </message>
    <message>
        <source>Rule of thumb for DDP</source>
        <translation>DDP 的经验法则</translation>
    </message>
    <message>
        <source>estimated: optimizer state over {} cards</source>
        <translation>估计：优化器状态分布在 {} 块显卡上</translation>
    </message>
    <message>
        <source>estimated: optimizer state and gradients over {} cards</source>
        <translation>估计：优化器状态和梯度分布在 {} 块显卡上</translation>
    </message>
    <message>
        <source>estimated: weights as well, the largest layer gathered while it runs, over {} cards</source>
        <translation>估计：权重也分布在 {} 块显卡上，最大的层在运行时汇集</translation>
    </message>
    <message>
        <source>range of public reports</source>
        <translation>公开报告的范围</translation>
    </message>
    <message>
        <source>No input has the axis {0}; name it in the input&apos;s description, as in int64[B,{0}].</source>
        <translation>没有输入含有轴 {0}；请在输入描述中命名它，例如 int64[B,{0}]。</translation>
    </message>
    <message>
        <source>cuDNN cannot be loaded: {}</source>
        <translation>无法加载 cuDNN：{}</translation>
    </message>
    <message>
        <source>this cuDNN has no {}</source>
        <translation>此 cuDNN 没有 {}</translation>
    </message>
    <message>
        <source>cuDNN does not take the description of {}: {}</source>
        <translation>cuDNN 不接受 {} 的描述：{}</translation>
    </message>
    <message>
        <source>this cuDNN does not support compute capability {}.{}</source>
        <translation>此 cuDNN 不支持计算能力 {}.{}</translation>
    </message>
    <message>
        <source>cuDNN is not asked about a card with {} multiprocessors</source>
        <translation>不向 cuDNN 询问有 {} 个多处理器的显卡</translation>
    </message>
    <message>
        <source>The libraries listed in preload-order.txt are missing from {}.</source>
        <translation>{} 中缺少 preload-order.txt 列出的库。</translation>
    </message>
    <message>
        <source>A library cannot be loaded: {}.</source>
        <translation>无法加载某个库：{}。</translation>
    </message>
    <message>
        <source>LibTorch cannot be loaded: {}.</source>
        <translation>无法加载 LibTorch：{}。</translation>
    </message>
    <message>
        <source>LibTorch cannot use the GPU because NVIDIA&apos;s libraries are not all installed ({}); packaging/quickstart installs them where it finds a driver.</source>
        <translation>LibTorch 无法使用此 GPU，因为 NVIDIA 的库未全部安装（{}）；packaging/quickstart 在找到驱动时会安装它们。</translation>
    </message>
    <message>
        <source>libtidemark_step.so is from another version; build again.</source>
        <translation>libtidemark_step.so 来自另一个版本；请重新构建。</translation>
    </message>
    <message>
        <source>there is no cuDNN beside LibTorch, and TIDEMARK_CUDNN names none</source>
        <translation>LibTorch 旁没有 cuDNN，TIDEMARK_CUDNN 也未指定</translation>
    </message>
    <message>
        <source>The model has no layer {}; there is none in {}.</source>
        <translation>模型没有层 {}；{} 中没有任何层。</translation>
    </message>
    <message>
        <source>The model has no layer {}; those in {} are {}.</source>
        <translation>模型没有层 {}；{} 中的层有 {}。</translation>
    </message>
    <message>
        <source>The axis {} has two sizes, {} and {}.</source>
        <translation>轴 {} 有两个大小：{} 和 {}。</translation>
    </message>
    <message>
        <source>{} was written by torch.export; Tidemark reads TorchScript. {}</source>
        <translation>{} 由 torch.export 写出；Tidemark 读取 TorchScript。{}</translation>
    </message>
    <message>
        <source>no parameter takes part in the loss that is trained. Thaw a layer, or plan inference instead of training.</source>
        <translation>损失不涉及任何需要训练的参数。请解除某一层的冻结，或以推理模式规划。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is a device or a pipe; give a TorchScript file.</source>
        <translation>“{}”是设备或管道；请给出 TorchScript 文件。</translation>
    </message>
</context>
<context>
    <name>tidemark::PeakHeader</name>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>What nvidia-smi shows: reserved memory and the CUDA context. “Fits” is decided on this.</source>
        <translation>nvidia-smi 显示的值：已保留显存与 CUDA 上下文。是否“放得下”由此决定。</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>Segments the caching allocator took from the card</source>
        <translation>缓存分配器从显卡取得的段</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Bytes of tensors at the peak</source>
        <translation>峰值时张量的字节数</translation>
    </message>
    <message>
        <source>The parts of the allocated peak</source>
        <translation>已分配峰值的各部分</translation>
    </message>
    <message>
        <source>Click to show or hide it in both plots</source>
        <translation>单击可在两个图中显示或隐藏</translation>
    </message>
    <message>
        <source>Reserved memory as a line</source>
        <translation>已保留显存，以线表示</translation>
    </message>
    <message>
        <source>Process memory as a line with its band; dashed between exact points</source>
        <translation>进程显存，以线及其范围表示；精确点之间为虚线</translation>
    </message>
    <message>
        <source>Process, %1 to %2</source>
        <translation>进程，%1 至 %2</translation>
    </message>
    <message>
        <source>Peak of the step at batch %1</source>
        <translation>批大小 %1 时步骤的峰值</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>interpolated, measuring …</source>
        <translation>插值，正在测量…</translation>
    </message>
</context>
<context>
    <name>tidemark::PlotBase</name>
    <message>
        <source>Mark this place</source>
        <translation>标记此处</translation>
    </message>
    <message>
        <source>Take the mark away</source>
        <translation>取消标记</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>tidemark::SeriesLegend</name>
    <message>
        <source>Show or hide the process memory of %1</source>
        <translation>显示或隐藏 %1 的进程显存</translation>
    </message>
</context>
<context>
    <name>tidemark::SettingsPanel</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开的模型</translation>
    </message>
    <message>
        <source>Type and shape of each argument: float32[B,3,224,224]; several are separated by semicolons.
B is the batch; other names become sizes of their own: int64[B,T]</source>
        <translation>每个参数的类型和形状：float32[B,3,224,224]；多个以分号分隔。
B 为批大小；其他名称成为各自的大小：int64[B,T]</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>The card the step is planned for. Type part of its name to search.</source>
        <translation>为之规划步骤的显卡。输入其名称的一部分可搜索。</translation>
    </message>
    <message>
        <source>as the card has</source>
        <translation>显卡自身容量</translation>
    </message>
    <message>
        <source>Plan for another size than the card&apos;s own: 48 GiB, 81920 MiB, 80 GB.
The line of the card in the plot can be dragged as well</source>
        <translation>按不同于显卡自身的容量规划：48 GiB、81920 MiB、80 GB。
也可以拖动图中的显卡线</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Type another size to plan for a card that has it.</source>
        <translation>输入另一容量，为具有该容量的显卡规划。</translation>
    </message>
    <message>
        <source>Memory of the card that the step must not take: 512 MiB, 1.5 GiB, 500 MB, 10 %</source>
        <translation>步骤不得占用的显存：512 MiB、1.5 GiB、500 MB、10 %</translation>
    </message>
    <message>
        <source>Keep free</source>
        <translation>保持空闲</translation>
    </message>
    <message>
        <source>For the desktop and other programs, or as a margin.</source>
        <translation>留给桌面和其他程序，或作为余量。</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Examples per forward pass. Arrow keys step by one, page keys double and halve, a double click
goes to the largest batch that fits (green mark).</source>
        <translation>每次前向传播的样本数。方向键加减一，翻页键加倍和减半，
双击转到放得下的最大批大小（绿色标记）。</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Micro-batches whose gradients are added up before the optimizer steps</source>
        <translation>优化器更新之前累加梯度的微批个数</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Checkpointed blocks</source>
        <translation>设检查点的块</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>How many of the model&apos;s repeated blocks run their forward pass again during backward
instead of keeping their activations. A double click on the slider goes back to none</source>
        <translation>模型的重复块中有多少个在反向传播时重新运行前向传播，
而不保存其激活值。双击滑块恢复为无</translation>
    </message>
    <message>
        <source>Checkpointing</source>
        <translation>激活检查点</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Implementation</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>更多设置</translation>
    </message>
    <message>
        <source>Loss, workspaces, memory format, allocator</source>
        <translation>损失、工作区、内存格式、分配器</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>Model and input in NHWC memory format.</source>
        <translation>模型和输入采用 NHWC 内存格式。</translation>
    </message>
    <message>
        <source>zero_grad sets to None</source>
        <translation>zero_grad 置为 None</translation>
    </message>
    <message>
        <source>Gradients are freed between steps, as PyTorch does by default.</source>
        <translation>梯度在步骤之间释放，这是 PyTorch 的默认行为。</translation>
    </message>
    <message>
        <source>Clip gradients by norm</source>
        <translation>按范数裁剪梯度</translation>
    </message>
    <message>
        <source>clip_grad_norm_ before the optimizer step.</source>
        <translation>在优化器步骤之前调用 clip_grad_norm_。</translation>
    </message>
    <message>
        <source>Average of the weights (EMA)</source>
        <translation>权重平均 (EMA)</translation>
    </message>
    <message>
        <source>A second copy of all weights.</source>
        <translation>全部权重的第二份副本。</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>A non-zero weight decay needs copies in some optimizers.</source>
        <translation>非零的权重衰减在某些优化器中需要副本。</translation>
    </message>
    <message>
        <source>AMSGrad</source>
        <translation>AMSGrad</translation>
    </message>
    <message>
        <source>Adam keeps a third value per parameter.</source>
        <translation>Adam 为每个参数保存第三个值。</translation>
    </message>
    <message>
        <source>TF32 in matrix products</source>
        <translation>矩阵乘法使用 TF32</translation>
    </message>
    <message>
        <source>torch.backends.cuda.matmul.allow_tf32.</source>
        <translation>torch.backends.cuda.matmul.allow_tf32。</translation>
    </message>
    <message>
        <source>TF32 in cuDNN</source>
        <translation>cuDNN 使用 TF32</translation>
    </message>
    <message>
        <source>torch.backends.cudnn.allow_tf32, on by default.</source>
        <translation>torch.backends.cudnn.allow_tf32，默认开启。</translation>
    </message>
    <message>
        <source>cuDNN benchmark</source>
        <translation>cuDNN benchmark</translation>
    </message>
    <message>
        <source>The first iteration tries algorithms and may need large workspaces.</source>
        <translation>第一次迭代会尝试多种算法，可能需要很大的工作区。</translation>
    </message>
    <message>
        <source>cuDNN deterministic</source>
        <translation>cuDNN deterministic</translation>
    </message>
    <message>
        <source>torch.backends.cudnn.deterministic: only algorithms that repeat exactly.</source>
        <translation>torch.backends.cudnn.deterministic：只用结果可重复的算法。</translation>
    </message>
    <message>
        <source>Expandable segments</source>
        <translation>可扩展段</translation>
    </message>
    <message>
        <source>%1, %2 parameters, %3</source>
        <translation>%1，%2 个参数，%3</translation>
    </message>
    <message>
        <source>traced</source>
        <translation>追踪</translation>
    </message>
    <message>
        <source>scripted</source>
        <translation>脚本化</translation>
    </message>
    <message>
        <source>%1 parameters, of which %2 are trainable</source>
        <translation>%1 个参数，其中 %2 个可训练</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> / %1</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>Size of axis %1</source>
        <translation>轴 %1 的大小</translation>
    </message>
    <message>
        <source>Examples per forward pass; effective batch %1.</source>
        <translation>每次前向传播的样本数；有效批大小 %1。</translation>
    </message>
    <message>
        <source>Examples per forward pass.</source>
        <translation>每次前向传播的样本数。</translation>
    </message>
    <message>
        <source>%1 micro-batches for each optimizer step.</source>
        <translation>每个优化器步骤 %1 个微批。</translation>
    </message>
    <message>
        <source>The optimizer steps after every batch.</source>
        <translation>优化器在每个批之后更新。</translation>
    </message>
    <message>
        <source>As recorded in the file; B is the batch.</source>
        <translation>取自文件中的记录；B 为批大小。</translation>
    </message>
    <message>
        <source>Guessed from the first layer; B is the batch.</source>
        <translation>由第一层推测；B 为批大小。</translation>
    </message>
    <message>
        <source>Type and shape of the model&apos;s argument; B is the batch.</source>
        <translation>模型参数的类型和形状；B 为批大小。</translation>
    </message>
    <message>
        <source>As you stated it; B is the batch. Empty the line for the default.</source>
        <translation>由您指定；B 为批大小。清空该行可恢复默认。</translation>
    </message>
    <message>
        <source>%1 of memory, %2, capability %3.%4.</source>
        <translation>显存 %1，%2，计算能力 %3.%4。</translation>
    </message>
    <message>
        <source>The card the step is planned for.</source>
        <translation>为之规划步骤的显卡。</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s) chosen in the layer table.</source>
        <translation>
            <numerusform>在层表中选择了 %n 层。</numerusform>
        </translation>
    </message>
    <message>
        <source>Inference keeps no activations.</source>
        <translation>推理不保存激活值。</translation>
    </message>
    <message>
        <source>This model has no repeated blocks; choose layers in the layer table.</source>
        <translation>此模型没有重复块；请在层表中选择层。</translation>
    </message>
    <message>
        <source>Every block keeps its activations for backward.</source>
        <translation>每个块都为反向传播保存激活值。</translation>
    </message>
    <message>
        <source>Recomputes these blocks in backward: less memory, more time.</source>
        <translation>在反向传播中重新计算这些块：显存更少，时间更长。</translation>
    </message>
    <message>
        <source>expandable_segments:True in PYTORCH_ALLOC_CONF: less fragmentation.</source>
        <translation>PYTORCH_ALLOC_CONF 中的 expandable_segments:True，碎片更少。</translation>
    </message>
    <message>
        <source>one card</source>
        <translation>单卡</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Bucket size</source>
        <translation>桶大小</translation>
    </message>
    <message>
        <source>bucket_cap_mb; PyTorch&apos;s default is 25 MiB, the first bucket 1.</source>
        <translation>bucket_cap_mb；PyTorch 默认为 25 MiB，第一个桶为 1 MiB。</translation>
    </message>
    <message>
        <source>Gradients are views of the buckets</source>
        <translation>梯度是桶的视图</translation>
    </message>
    <message>
        <source>gradient_as_bucket_view: no second copy once they arrived.</source>
        <translation>gradient_as_bucket_view：梯度到达后不再有第二份副本。</translation>
    </message>
    <message>
        <source>Look for unused parameters</source>
        <translation>查找未使用的参数</translation>
    </message>
    <message>
        <source>find_unused_parameters: for models whose parameters do not all get a gradient.</source>
        <translation>find_unused_parameters：适用于并非所有参数都得到梯度的模型。</translation>
    </message>
    <message>
        <source>Static graph</source>
        <translation>静态图</translation>
    </message>
    <message>
        <source>static_graph: the same operators in every step.</source>
        <translation>static_graph：每一步的算子都相同。</translation>
    </message>
    <message>
        <source>Cards that share a batch under DistributedDataParallel.</source>
        <translation>在 DistributedDataParallel 下共同处理一个批次的卡数。</translation>
    </message>
    <message>
        <source>The step on each of %1 cards under DistributedDataParallel; the page Data parallel sets ZeRO beside it.</source>
        <translation>DistributedDataParallel 下 %1 张卡中每张卡上的步骤；“数据并行”页将其与 ZeRO 对照。</translation>
    </message>
    <message>
        <source>Estimated instead: %1.</source>
        <translation>改为估算：%1。</translation>
    </message>
</context>
<context>
    <name>tidemark::SizeBox</name>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
</context>
<context>
    <name>tidemark::SourceView</name>
    <message>
        <source>Memory by source line</source>
        <translation>按源代码行的显存</translation>
    </message>
    <message>
        <source>Source file</source>
        <translation>源文件</translation>
    </message>
    <message>
        <source>Source lines</source>
        <translation>源代码行</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>At the peak</source>
        <translation>峰值时</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>This file tells no source lines.</source>
        <translation>此文件不含源代码行信息。</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>(text not at hand)</source>
        <translation>（没有源文本）</translation>
    </message>
    <message>
        <source>of one step; click a line to find its layer</source>
        <translation>一个步骤；单击一行可找到所属的层</translation>
    </message>
</context>
<context>
    <name>tidemark::SummaryView</name>
    <message>
        <source>Table of torchsummary</source>
        <translation>torchsummary 的表</translation>
    </message>
    <message>
        <source>Figures and rules of thumb</source>
        <translation>数字与经验法则</translation>
    </message>
    <message>
        <source>Layer (type)</source>
        <translation>层（类型）</translation>
    </message>
    <message>
        <source>Output shape</source>
        <translation>输出形状</translation>
    </message>
    <message>
        <source>Param #</source>
        <translation>参数 #</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>torchsummary</source>
        <translation>torchsummary</translation>
    </message>
    <message>
        <source>at batch %1</source>
        <translation>批大小 %1 时</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>torchinfo</source>
        <translation>torchinfo</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>测得</translation>
    </message>
    <message>
        <source>Total params: %1 · trainable: %2 · not trainable: %3. Measured is the steady peak of this step; no summary counts gradients (%4) and optimizer state (%5).</source>
        <translation>参数总数：%1 · 可训练：%2 · 不可训练：%3。测得值是此步骤的稳态峰值；所有摘要工具都不计梯度（%4）和优化器状态（%5）。</translation>
    </message>
    <message>
        <source>One forward pass of one example, measured: %1, as max_memory_allocated would print it.</source>
        <translation>一个样本的一次前向传播，测得：%1，即 max_memory_allocated 会输出的值。</translation>
    </message>
    <message>
        <source>Rule of thumb</source>
        <translation>经验法则</translation>
    </message>
    <message>
        <source>says</source>
        <translation>所得</translation>
    </message>
    <message>
        <source>true</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>batch × (input + forward) + parameters + batch × forward</source>
        <translation>批大小 ×（输入 + 前向）+ 参数 + 批大小 × 前向</translation>
    </message>
    <message>
        <source>stands for</source>
        <translation>代表</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>What the summaries print</source>
        <translation>摘要工具输出的内容</translation>
    </message>
    <message>
        <source>What rules of thumb make of it</source>
        <translation>经验法则由此得出的结果</translation>
    </message>
    <message>
        <source>The formula, term by term</source>
        <translation>公式逐项</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Forward/backward pass</source>
        <translation>前向/反向传播</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Estimated total</source>
        <translation>估计总计</translation>
    </message>
    <message>
        <source>Size (MB)</source>
        <translation>大小 (MB)</translation>
    </message>
</context>
<context>
    <name>tidemark::TimelinePlot</name>
    <message>
        <source>Memory over the steady step</source>
        <translation>稳态步骤中的显存</translation>
    </message>
    <message>
        <source>Allocator events of one step</source>
        <translation>一个步骤中的分配器事件</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>event %1</source>
        <translation>事件 %1</translation>
    </message>
    <message>
        <source>Event %1</source>
        <translation>事件 %1</translation>
    </message>
    <message>
        <source>Event %1 · %2</source>
        <translation>事件 %1 · %2</translation>
    </message>
    <message>
        <source>%1, peak %2</source>
        <translation>%1，峰值 %2</translation>
    </message>
</context>
<context>
    <name>tidemark::Treemap</name>
    <message>
        <source>Live memory as areas</source>
        <translation>以面积表示的存活显存</translation>
    </message>
</context>
<context>
    <name>tidemark::VariantsBar</name>
    <message>
        <source>Variants</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Duplicate and change</source>
        <translation>复制并修改</translation>
    </message>
    <message>
        <source>Add a variant with the same settings, to change and compare (Ctrl+D)</source>
        <translation>添加一个设置相同的方案，以便修改和比较 (Ctrl+D)</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基准）</translation>
    </message>
    <message>
        <source>%1
Double-click renames; the context menu sets the baseline</source>
        <translation>%1
双击可重命名；上下文菜单可设为基准</translation>
    </message>
    <message>
        <source>Rename variant</source>
        <translation>重命名方案</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Compare others with this one</source>
        <translation>将其他方案与此方案比较</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>tidemark::VerdictBar</name>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop the running measurement (Esc)</source>
        <translation>停止正在进行的测量 (Esc)</translation>
    </message>
</context>
<context>
    <name>tidemark::Worker</name>
    <message>
        <source>the program tidemark-probe was not found</source>
        <translation>未找到程序 tidemark-probe</translation>
    </message>
    <message>
        <source>it was stopped</source>
        <translation>它被停止</translation>
    </message>
    <message>
        <source>it wrote an answer without end</source>
        <translation>它写出的回答没有结尾</translation>
    </message>
    <message>
        <source>it wrote something that is no answer: &quot;%1&quot;</source>
        <translation>它写出了不是回答的内容：“%1”</translation>
    </message>
    <message>
        <source>the program &quot;%1&quot; could not be started</source>
        <translation>无法启动程序“%1”</translation>
    </message>
    <message>
        <source>it crashed with signal %1</source>
        <translation>它因信号 %1 崩溃</translation>
    </message>
    <message>
        <source>it ended with code %1</source>
        <translation>它以代码 %1 结束</translation>
    </message>
</context>
</TS>
